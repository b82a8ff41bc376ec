package dev.acklast;

/**
 * Applies the effect of one message. Thread-safe: several lanes call it at once.
 *
 * <p>It runs inside the transaction that holds the message's claim. Whatever it writes through
 * {@link MessageTransaction#handle()} or {@link MessageTransaction#connection()} commits together
 * with the claim or not at all. It may be called again for a message whose transaction was rolled
 * back, be it because a neighbour in the same batch failed: effects outside the database need
 * {@link MessageTransaction#idempotencyKey()}, and are best off with {@code batchSize(1)}.
 *
 * @param <T> the decoded payload
 */
@FunctionalInterface
public interface Handler<T> {
  /**
   * Applies the effect.
   *
   * @throws InvalidMessageException if trying again would not help
   * @throws Exception for a failed attempt
   */
  void apply(T payload, MessageTransaction tx) throws Exception;
}
