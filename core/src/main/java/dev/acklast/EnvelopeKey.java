package dev.acklast;

import dev.acklast.spi.Envelope;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A key that stands beside the body. */
final class EnvelopeKey extends Key<Object> {
  private final String what;
  private final Function<Envelope, @Nullable String> part;

  EnvelopeKey(String what, Function<Envelope, @Nullable String> part) {
    this.what = what;
    this.part = part;
  }

  static EnvelopeKey ofHeader(String name) {
    return new EnvelopeKey(
        "text or integer in the header " + name,
        envelope -> envelope.headers().get(name) instanceof Boolean ? null : envelope.header(name));
  }

  @Override
  String find(Object payload, Envelope envelope) throws InvalidMessageException {
    String value = part.apply(envelope);
    if (value == null) {
      throw new InvalidMessageException("the message has no " + what + ", which is its key");
    }
    return value;
  }
}
