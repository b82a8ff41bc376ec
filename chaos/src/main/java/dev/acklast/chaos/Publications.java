package dev.acklast.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the producer's log says of each key. Immutable.
 *
 * @param byKey no entry for a key that was never published
 * @param messageIds of all publishes, confirmed or not
 */
record Publications(Map<String, Tries> byKey, Set<String> messageIds) {
  /**
   * The publishes of one key.
   *
   * @param confirmed those that the broker has confirmed
   * @param unknown those that may have arrived or not
   */
  record Tries(int confirmed, int unknown) {
    private static final Tries NONE = new Tries(0, 0);

    /** The most copies that a consumer can have seen, not counting redeliveries. */
    int atMost() {
      return confirmed + unknown;
    }
  }

  Publications {
    byKey = Collections.unmodifiableMap(byKey);
    messageIds = Collections.unmodifiableSet(messageIds);
  }

  static Publications read(Path log) throws IOException {
    Map<String, Tries> byKey = new HashMap<>();
    Set<String> ids = new HashSet<>();
    try (Stream<String> lines = Files.lines(log)) {
      lines.forEach(
          line -> {
            String[] words = line.split(" ", 4);
            boolean confirmed = words[1].equals(PublicationLog.CONFIRMED);
            ids.add(words[3]);
            byKey.merge(
                words[2],
                new Tries(confirmed ? 1 : 0, confirmed ? 0 : 1),
                (a, b) -> new Tries(a.confirmed + b.confirmed, a.unknown + b.unknown));
          });
    }
    return new Publications(byKey, ids);
  }

  Tries of(String key) {
    return byKey.getOrDefault(key, Tries.NONE);
  }

  /** All publishes that were confirmed, copies included. */
  long confirmed() {
    return byKey.values().stream().mapToLong(Tries::confirmed).sum();
  }

  /** Keys with at least one of those. */
  long confirmedKeys() {
    return byKey.values().stream().filter(tries -> tries.confirmed > 0).count();
  }
}
