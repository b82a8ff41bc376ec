package dev.acklast.spi;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What core tells an adapter about the consumer that it serves.
 *
 * @param consumer the consumer's name, for client names and logs
 * @param prefetch most deliveries that may be handed over and unsettled, over all queues of the
 *     source together; at least 1
 * @param deadLetter the dead-letter queue or topic that the user named, or null for the adapter's
 *     default
 * @param longestDelay the longest delay that {@link Acker#retry} will be asked for
 * @param ordered whether the user asked for order: core then parks instead of calling {@link
 *     Acker#retry}
 */
public record SourceSettings(
    String consumer,
    int prefetch,
    @Nullable String deadLetter,
    Duration longestDelay,
    boolean ordered) {
  public SourceSettings {
    Objects.requireNonNull(consumer, "consumer");
    Objects.requireNonNull(longestDelay, "longestDelay");
    if (prefetch < 1) {
      throw new IllegalArgumentException("prefetch must be at least 1, not " + prefetch);
    }
  }
}
