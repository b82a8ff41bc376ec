package dev.acklast;

import dev.acklast.spi.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * Says what identifies a message's intention: the business key. Immutable and thread-safe.
 *
 * @param <T> the decoded payload
 */
public abstract class Key<T> {
  Key() {}

  /** The key as a function of the payload. */
  public static <T> Key<T> from(java.util.function.Function<? super T, ? extends @Nullable Object> function) {
    throw new UnsupportedOperationException();
  }

  /**
   * The key of one message, checked and never blank.
   *
   * @throws InvalidMessageException if the message has no usable key; the text says why
   */
  abstract String read(T payload, Envelope envelope) throws InvalidMessageException;
}
