package dev.acklast;

import dev.acklast.spi.Envelope;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says what identifies a message's intention: the business key. Immutable and thread-safe.
 *
 * <p>A key is compared byte for byte: {@code Ord-1}, {@code ord-1} and {@code Ord-1} with a blank
 * after it are three keys. It must not be blank, must hold no control character (U+0000 to U+001F,
 * U+007F to U+009F) and no half of a surrogate pair, and has at most 1,024 bytes in UTF-8;
 * otherwise the message is invalid.
 *
 * @param <T> the decoded payload
 */
public abstract class Key<T> {
  Key() {}

  /**
   * The key as a function of the payload. It may return a {@code String}, a {@code UUID}, an enum's
   * constant (its {@code name()}), an {@code Integer}, {@code Long}, {@code Short}, {@code Byte} or
   * {@code BigInteger} (in plain digits), or a JSON node as {@link #pointer} takes it. If it
   * returns null or anything else, or throws, the message is invalid.
   *
   * @param function thread-safe and free of side effects
   */
  public static <T> Key<T> from(Function<? super T, ? extends @Nullable Object> function) {
    return new FunctionKey<>(function);
  }

  /**
   * The key as a field of the JSON body: of the payload if that is a tree, otherwise of the body,
   * parsed once more with the decoder's limits. A text counts as it is, an integral number by its
   * digits, so the number {@code 1000} and the text {@code "1000"} are one key. Everything else
   * ({@code 1e3}, {@code 100.0}, booleans, null, objects, arrays, a missing field) makes the
   * message invalid.
   *
   * @param pointer a JSON pointer (RFC 6901): {@code /orderId}, {@code /order/id}, {@code
   *     /items/0/id}
   * @throws IllegalArgumentException if it is no JSON pointer, or points to the whole body
   */
  public static Key<Object> pointer(String pointer) {
    return PointerKey.of(pointer);
  }

  /**
   * The key as a header: text as it is, an integral number by its digits.
   *
   * @param name the header's name, compared exactly
   * @throws IllegalArgumentException if the name is blank
   */
  public static Key<Object> header(String name) {
    return EnvelopeKey.ofHeader(Rules.notBlank("header name", name));
  }

  /** The broker's own key of the record: a Kafka record's key, a FIFO message group. */
  public static Key<Object> recordKey() {
    return new EnvelopeKey("record key", Envelope::recordKey);
  }

  /**
   * The id that producer or broker gave the message. Right only if the producer sends every resend
   * of one intention under one id; most do not, and then a resend is applied twice.
   */
  public static Key<Object> messageId() {
    return new EnvelopeKey("message id", Envelope::messageId);
  }

  /**
   * Several parts as one key, in the given order, joined by {@code |}; within a part, {@code |} is
   * written {@code \|} and {@code \} is written {@code \\}. So different parts never make the same
   * key. A single part is taken as it is. Each part must be a valid key itself, and so must the
   * whole.
   *
   * @param parts at least one
   * @throws IllegalArgumentException if there is none
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the parts are only read
  public static <T> Key<T> join(Key<? super T>... parts) {
    return new JoinedKey<T>(Arrays.asList(parts));
  }

  /** As {@link #join(Key[])}, from a list. */
  public static <T> Key<T> join(List<? extends Key<? super T>> parts) {
    return new JoinedKey<T>(parts);
  }

  /**
   * The key of one message, checked and never blank.
   *
   * @throws InvalidMessageException if the message has no usable key; the text says why
   */
  final String read(T payload, Envelope envelope) throws InvalidMessageException {
    return KeyRule.check(find(payload, envelope));
  }

  /** The key before it is checked. */
  abstract @Nullable String find(T payload, Envelope envelope) throws InvalidMessageException;

  /** The same key, reading bodies with the same limits and mapper as the decoder does. */
  Key<T> alongside(Decoder<?> decoder) {
    return this;
  }
}
