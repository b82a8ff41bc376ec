package dev.acklast;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.spi.Envelope;
import java.math.BigInteger;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A key that a function of the user's finds. */
final class FunctionKey<T> extends Key<T> {
  private final Function<? super T, ? extends @Nullable Object> function;

  FunctionKey(Function<? super T, ? extends @Nullable Object> function) {
    this.function = Objects.requireNonNull(function, "function");
  }

  @Override
  @Nullable String find(T payload, Envelope envelope) throws InvalidMessageException {
    Object value = call(payload);
    if (value == null) {
      throw new InvalidMessageException("the key function returned null");
    }
    if (value instanceof String text) {
      return text;
    }
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (value instanceof JsonNode node) {
      return PointerKey.text(node, "the node that the key function returned");
    }
    if (isPlain(value)) {
      return value.toString();
    }
    throw new InvalidMessageException(
        "the key function returned a "
            + value.getClass().getName()
            + "; it must return a text, a UUID, an integral number or an enum constant");
  }

  private @Nullable Object call(T payload) throws InvalidMessageException {
    try {
      return function.apply(payload);
    } catch (Exception e) {
      // Only the class: the text is the user's, and may quote the payload.
      throw new InvalidMessageException("the key function threw " + e.getClass().getName());
    }
  }

  private static boolean isPlain(Object value) {
    return value instanceof UUID
        || value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigInteger;
  }
}
