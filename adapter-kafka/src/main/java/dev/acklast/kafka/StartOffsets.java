package dev.acklast.kafka;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a group without committed offsets begins: what {@code auto.offset.reset} means for those.
 * The client itself would apply it to lost records too, and silently go past them.
 */
final class StartOffsets {
  private static final String BY_DURATION = "by_duration:";

  private final String reset;

  /**
   * Reads the setting.
   *
   * @throws IllegalArgumentException if it is none of Kafka's
   */
  StartOffsets(String reset) {
    this.reset = reset.toLowerCase(Locale.ROOT);
    if (!Set.of("earliest", "latest", "none").contains(this.reset)) {
      back();
    }
  }

  private Duration back() {
    try {
      if (reset.startsWith(BY_DURATION)) {
        return Duration.parse(reset.substring(BY_DURATION.length()).toUpperCase(Locale.ROOT));
      }
    } catch (DateTimeParseException e) {
      // told below, like any other text
    }
    throw new IllegalArgumentException(
        "auto.offset.reset must be earliest, latest, none or by_duration:PT24H, say; not " + reset);
  }

  /** The offsets to begin with; empty if the user wants none to be chosen. */
  Map<TopicPartition, Long> of(
      Consumer<?, ?> consumer, Set<TopicPartition> partitions, Duration limit) {
    return switch (reset) {
      case "earliest" -> consumer.beginningOffsets(partitions, limit);
      case "latest" -> consumer.endOffsets(partitions, limit);
      case "none" -> Map.of();
      default -> since(Instant.now().minus(back()), consumer, partitions, limit);
    };
  }

  private static Map<TopicPartition, Long> since(
      Instant time, Consumer<?, ?> consumer, Set<TopicPartition> partitions, Duration limit) {
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, time.toEpochMilli()));
    Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions, limit));
    for (Map.Entry<TopicPartition, OffsetAndTimestamp> found :
        consumer.offsetsForTimes(times, limit).entrySet()) {
      if (found.getValue() != null) {
        offsets.put(found.getKey(), found.getValue().offset());
      }
    }
    return offsets;
  }
}
