package dev.acklast.testkit;

import dev.acklast.spi.Envelope;
import org.jspecify.annotations.Nullable;

/** One message with one consumer, until it is settled. Guarded by the server's lock. */
final class InFlight {
  /** What goes back to the queue if it is not settled. */
  final QueuedMessage message;

  /** What the consumer sees. */
  final Envelope envelope;

  final MemoryQueue queue;
  final Link link;
  private final @Nullable Long leaseEnds;
  private boolean settled;

  InFlight(QueuedMessage message, MemoryQueue queue, Link link, @Nullable Long leaseEnds) {
    this.envelope = message.toEnvelope(queue.name);
    this.message = message.handedOver();
    this.queue = queue;
    this.link = link;
    this.leaseEnds = leaseEnds;
  }

  /** Why it is no longer this consumer's, or null if it still is. */
  @Nullable String lateReason(long now) {
    if (settled) {
      return "settled before, or its queue was deleted";
    }
    if (!link.alive()) {
      return "its connection is gone";
    }
    return leaseEnded(now) ? "its lease has ended" : null;
  }

  boolean leaseEnded(long now) {
    return leaseEnds != null && now - leaseEnds >= 0;
  }

  /** Nanoseconds until the lease ends; the longest possible time if it never does. */
  long leaseLeft(long now) {
    return leaseEnds == null ? Long.MAX_VALUE : Math.max(0, leaseEnds - now);
  }

  void markSettled() {
    settled = true;
  }
}
