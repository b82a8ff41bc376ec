package dev.acklast.spi;

/**
 * What a source can do; fixed before it is started.
 *
 * @param nativeRetry whether {@link Acker#retry} works; otherwise core parks deliveries that wait
 * @param order how far the source keeps order
 */
public record Capabilities(boolean nativeRetry, Order order) {
  /** How far a source keeps the order of messages. */
  public enum Order {
    /** Competing instances share the messages: {@code orderedBy} is refused. */
    NONE,

    /**
     * One consumer at a time has all messages of one ordering key, so that {@code orderedBy} can be
     * kept where the user asks for it.
     */
    ON_REQUEST,

    /**
     * Messages with one {@link Envelope#orderingKey()} are always handled one after another, as on
     * the broker: core parks what is to be retried, and everything behind it in its line waits.
     * {@code orderedBy} is satisfied by that order and changes nothing.
     */
    ALWAYS
  }
}
