package dev.acklast;

import dev.acklast.spi.Envelope;

/**
 * Turns an envelope into what the handler gets. Thread-safe. Free of side effects: it may run more
 * than once for a message.
 *
 * @param <T> what the handler gets
 * @see Json
 * @see Body
 */
@FunctionalInterface
public interface Decoder<T> {
  /**
   * Decodes one message. Never returns null.
   *
   * @throws InvalidMessageException if this body can never be decoded; any other exception is taken
   *     for the same thing, but only its class is reported, as its text may hold payload
   */
  T decode(Envelope envelope) throws Exception;
}
