package dev.acklast;

import dev.acklast.spi.Envelope;

/**
 * One message of a batch.
 *
 * @param <T> the decoded payload
 * @param payload the decoded payload
 * @param envelope as received
 * @param key the business key
 * @param attempt which run of the handler this is; 1 for the first
 * @param idempotencyKey see {@link MessageTransaction#idempotencyKey()}
 */
public record Message<T>(
    T payload, Envelope envelope, String key, int attempt, String idempotencyKey) {
  /** Names the message without its payload. */
  @Override
  public String toString() {
    return envelope + " key=" + key + " attempt=" + attempt;
  }
}
