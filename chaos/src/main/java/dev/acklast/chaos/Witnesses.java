package dev.acklast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What only the workers know: how often the handlers of messages that fail have begun, which of
 * them have ended their JVM, and how many runs were cut short, by the end of the process or of the
 * delivery, before a retry or a dead letter followed. From the journals, which say nothing about
 * outcomes here. Immutable.
 */
record Witnesses(
    Map<String, Integer> runs, Map<String, Integer> halts, Map<String, Integer> cutShort) {
  private static final int EVENT = 2;
  private static final int KEY = 3;
  private static final int COPY = 4;
  private static final Set<String> OF_INTEREST =
      Set.of(Journal.RUN, Journal.HALT, Journal.RETRIED, Journal.BURIED, Journal.RECEIVED);

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
    Set<String> open = new HashSet<>();
    for (String[] words : inOrder(folder)) {
      String key = words[KEY];
      String copy = key + " " + words[COPY];
      switch (words[EVENT]) {
        case Journal.RUN -> {
          runs.merge(key, 1, Integer::sum);
          open.add(copy);
        }
        case Journal.HALT -> halts.merge(key, 1, Integer::sum);
        case Journal.RETRIED, Journal.BURIED -> open.remove(copy);
        case Journal.RECEIVED -> {
          if (open.remove(copy)) {
            cutShort.merge(key, 1, Integer::sum);
          }
        }
        default -> {}
      }
    }
    return new Witnesses(runs, halts, cutShort);
  }

  /** All lines of all journals, as words, by their time. */
  private static List<String[]> inOrder(Path folder) throws IOException {
    List<String[]> all = new ArrayList<>();
    for (Path journal : journals(folder)) {
      try (Stream<String> lines = Files.lines(journal)) {
        lines
            .map(line -> line.split(" ", COPY + 2))
            .filter(words -> words.length > COPY && OF_INTEREST.contains(words[EVENT]))
            .forEach(all::add);
      }
    }
    all.sort(Comparator.comparingLong(words -> Long.parseLong(words[0])));
    return all;
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
