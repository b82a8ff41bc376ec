package dev.acklast.testkit;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which kind of broker a source in memory imitates. Immutable.
 *
 * @param nativeRetry whether the broker delays a retry by itself; otherwise core parks
 * @param ordered whether one consumer at a time has all unsettled messages of an ordering key
 * @param createDeadLetter whether a missing dead-letter queue is created on connecting
 * @param lease how long a delivery stays with its consumer, or null for as long as it is connected;
 *     positive
 * @param confirmTimeout how long a dead letter waits for the broker's confirmation; positive
 */
public record InMemoryOptions(
    boolean nativeRetry,
    boolean ordered,
    boolean createDeadLetter,
    @Nullable Duration lease,
    Duration confirmTimeout) {
  public InMemoryOptions {
    Objects.requireNonNull(confirmTimeout, "confirmTimeout");
    if (confirmTimeout.isNegative() || confirmTimeout.isZero()) {
      throw new IllegalArgumentException("confirmTimeout must be positive, not " + confirmTimeout);
    }
    if (lease != null && (lease.isNegative() || lease.isZero())) {
      throw new IllegalArgumentException("lease must be positive or null, not " + lease);
    }
  }

  /**
   * Delays retries by itself, keeps no order per key, creates dead-letter queues, and sets no limit
   * to how long a delivery may take; confirmations are waited for one second.
   */
  public static InMemoryOptions standard() {
    return new InMemoryOptions(true, false, true, null, Duration.ofSeconds(1));
  }

  /** One consumer at a time has all messages of one ordering key. */
  public InMemoryOptions inOrder() {
    return new InMemoryOptions(nativeRetry, true, createDeadLetter, lease, confirmTimeout);
  }

  /** Retries cannot be delayed by the broker, so that core has to park them. */
  public InMemoryOptions withoutNativeRetry() {
    return new InMemoryOptions(false, ordered, createDeadLetter, lease, confirmTimeout);
  }

  /** A missing dead-letter queue is not created. */
  public InMemoryOptions withoutCreating() {
    return new InMemoryOptions(nativeRetry, ordered, false, lease, confirmTimeout);
  }

  /** A delivery that is not settled within {@code lease} goes back to the queue. */
  public InMemoryOptions withLease(Duration lease) {
    return new InMemoryOptions(nativeRetry, ordered, createDeadLetter, lease, confirmTimeout);
  }
}
