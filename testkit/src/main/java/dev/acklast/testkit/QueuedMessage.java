package dev.acklast.testkit;

import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;

/**
 * A message as the broker keeps it.
 *
 * @param content what was published
 * @param place where it stands in its queue; lower is earlier
 * @param deliveries how often it was handed to a consumer
 * @param hint what the next delivery will say of its past
 */
record QueuedMessage(Envelope content, long place, int deliveries, RedeliveryHint hint) {

  /** As it is from the moment a consumer has it: whatever comes next, its past is unknown. */
  QueuedMessage handedOver() {
    return new QueuedMessage(content, place, deliveries + 1, RedeliveryHint.SUSPECT);
  }

  /** As it comes back from a retry: at the end of the queue. */
  QueuedMessage retried(long newPlace) {
    return new QueuedMessage(content, newPlace, deliveries, RedeliveryHint.RETRIED);
  }

  QueuedMessage suspect() {
    return new QueuedMessage(content, place, deliveries, RedeliveryHint.SUSPECT);
  }

  /** What the consumer sees of it. */
  Envelope toEnvelope(String queue) {
    return copyOf(queue, content)
        .headers(content.headers())
        .position(place + "/" + deliveries)
        .hint(hint)
        .build();
  }

  /** Everything of a message but its headers. */
  static Envelope.Builder copyOf(String queue, Envelope message) {
    return Envelope.of(queue, message.body())
        .messageId(message.messageId())
        .recordKey(message.recordKey())
        .orderingKey(message.orderingKey())
        .contentType(message.contentType())
        .contentEncoding(message.contentEncoding())
        .timestamp(message.timestamp());
  }
}
