package dev.acklast;

import dev.acklast.spi.Envelope;

/**
 * Decoders that leave the body as bytes or text. Immutable and thread-safe.
 *
 * <p>A body with the content encoding {@code gzip} (the property, or a header {@code
 * Content-Encoding} in any case) is decompressed; other encodings make the message invalid. The
 * content type's media type does not matter.
 *
 * @param <T> {@code byte[]} or {@code String}
 */
public final class Body<T> implements Decoder<T> {
  private final ReadLimits limits;
  private final Reading<T> reading;

  private Body(ReadLimits limits, Reading<T> reading) {
    this.limits = limits;
    this.reading = reading;
  }

  /** The body's bytes, decompressed; an empty body is an empty array. */
  public static Body<byte[]> bytes() {
    return new Body<>(ReadLimits.STANDARD, BodyReader::bytes);
  }

  /**
   * The body as text in the charset that the content type states, or else UTF-8. A byte order mark
   * at its beginning is left out. Bytes that are not valid in that charset make the message
   * invalid.
   */
  public static Body<String> text() {
    return new Body<>(ReadLimits.STANDARD, (body, maxBytes) -> body.text(maxBytes).toString());
  }

  /**
   * Limits the size of the body once decompressed; what is larger is invalid.
   *
   * @param maxBytes 1 to 536,870,912; default 10 MiB
   */
  public Body<T> maxBytes(int maxBytes) {
    return new Body<>(limits.withMaxBytes(maxBytes), reading);
  }

  @Override
  public T decode(Envelope envelope) throws InvalidMessageException {
    return reading.read(new BodyReader(envelope), limits.maxBytes());
  }

  ReadLimits limits() {
    return limits;
  }

  @FunctionalInterface
  private interface Reading<T> {
    T read(BodyReader body, int maxBytes) throws InvalidMessageException;
  }
}
