package dev.acklast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What only the workers know: how often the handlers of messages that fail have begun, which of
 * them have ended their JVM, and how many failures were cut short, by the end of the process or of
 * the delivery, before anything followed from them. From the journals, which say nothing about
 * outcomes here. Immutable.
 */
record Witnesses(
    Map<String, Integer> runs, Map<String, Integer> halts, Map<String, Integer> cutShort) {
  Witnesses {
    runs = Collections.unmodifiableMap(runs);
    halts = Collections.unmodifiableMap(halts);
    cutShort = Collections.unmodifiableMap(cutShort);
  }

  /** Reads all journals of a folder. */
  static Witnesses read(Path folder) throws IOException {
    Map<String, Integer> runs = new HashMap<>();
    Map<String, Integer> halts = new HashMap<>();
    Map<String, Integer> cutShort = new HashMap<>();
    for (Path journal : journals(folder)) {
      try (Stream<String> lines = Files.lines(journal)) {
        lines.forEach(
            line -> {
              String[] words = line.split(" ", 5);
              switch (words.length == 5 ? words[2] : "") {
                case Journal.RUN -> runs.merge(words[3], 1, Integer::sum);
                case Journal.HALT -> halts.merge(words[3], 1, Integer::sum);
                case Journal.FAILED -> cutShort.merge(words[3], 1, Integer::sum);
                case Journal.RETRIED, Journal.BURIED ->
                    cutShort.computeIfPresent(words[3], (key, open) -> open == 1 ? null : open - 1);
                default -> {}
              }
            });
      }
    }
    return new Witnesses(runs, halts, cutShort);
  }

  static List<Path> journals(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(Journal.SUFFIX)).sorted().toList();
    }
  }

  int runsOf(String key) {
    return runs.getOrDefault(key, 0);
  }

  int cutShort(String key) {
    return cutShort.getOrDefault(key, 0);
  }
}
