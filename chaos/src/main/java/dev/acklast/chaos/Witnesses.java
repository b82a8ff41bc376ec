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
 * What only the workers know: how often the handlers of messages that fail have begun, and which of
 * them have ended their JVM. From the journals, which say nothing about outcomes here. Immutable.
 */
record Witnesses(Map<String, Integer> runs, Map<String, Integer> halts) {
  Witnesses {
    runs = Collections.unmodifiableMap(runs);
    halts = Collections.unmodifiableMap(halts);
  }

  /** Reads all journals of a folder. */
  static Witnesses read(Path folder) throws IOException {
    Map<String, Integer> runs = new HashMap<>();
    Map<String, Integer> halts = new HashMap<>();
    for (Path journal : journals(folder)) {
      try (Stream<String> lines = Files.lines(journal)) {
        lines.forEach(
            line -> {
              String[] words = line.split(" ", 5);
              if (words.length == 5 && words[2].equals(Journal.RUN)) {
                runs.merge(words[3], 1, Integer::sum);
              } else if (words.length == 5 && words[2].equals(Journal.HALT)) {
                halts.merge(words[3], 1, Integer::sum);
              }
            });
      }
    }
    return new Witnesses(runs, halts);
  }

  static List<Path> journals(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(Journal.SUFFIX)).sorted().toList();
    }
  }

  int runsOf(String key) {
    return runs.getOrDefault(key, 0);
  }
}
