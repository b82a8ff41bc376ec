package dev.acklast;

import dev.acklast.spi.Envelope;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One body on its way from compressed bytes to characters. AMQP producers also state a charset as
 * the content encoding ({@code UTF-8}, as Spring AMQP and Celery do), so that is read as one.
 */
final class BodyReader {
  private static final String HEADER = "content-encoding";

  private final Envelope envelope;
  private final String encoding;

  BodyReader(Envelope envelope) {
    this.envelope = envelope;
    this.encoding = encodingOf(envelope).strip().toLowerCase(Locale.ROOT);
  }

  /** The body's bytes, decompressed if they were compressed. */
  byte[] bytes(int maxBytes) throws InvalidMessageException {
    byte[] body = envelope.body();
    if (body.length > maxBytes) {
      throw tooLarge("has " + body.length + " bytes, more than", maxBytes);
    }
    if (encoding.equals("gzip") || encoding.equals("x-gzip")) {
      return Gunzip.expand(body, maxBytes);
    }
    if (!encoding.isEmpty() && !encoding.equals("identity") && charsetNamed(encoding) == null) {
      throw new InvalidMessageException(
          "the content encoding is not known; gzip, identity and none at all are");
    }
    return body;
  }

  /** The body as text in the charset that was stated, whichever it is. */
  CharBuffer text(int maxBytes) throws InvalidMessageException {
    Charset charset = charset(ContentType.parse(envelope.contentType()));
    return StrictText.decode(bytes(maxBytes), charset);
  }

  /** The body as text if its content type is one that may hold JSON. */
  CharBuffer jsonText(int maxBytes) throws InvalidMessageException {
    ContentType type = ContentType.parse(envelope.contentType());
    type.requireJson();
    Charset charset = charset(type);
    if (!charset.name().startsWith("UTF-")) {
      throw new InvalidMessageException(
          "JSON in " + charset.name() + " is not read; UTF-8, UTF-16 and UTF-32 are");
    }
    return StrictText.decode(bytes(maxBytes), charset);
  }

  /** The charset that the content type, or else the content encoding, names; or else UTF-8. */
  private Charset charset(ContentType type) throws InvalidMessageException {
    Charset fromEncoding = charsetNamed(encoding);
    if (type.charset() == null) {
      return fromEncoding == null ? StandardCharsets.UTF_8 : fromEncoding;
    }
    Charset fromType = charsetNamed(type.charset());
    if (fromType == null) {
      throw new InvalidMessageException("the charset of the content type is not known");
    }
    if (fromEncoding != null && !fromEncoding.equals(fromType)) {
      throw new InvalidMessageException(
          "content type and content encoding state different charsets: "
              + fromType.name()
              + " and "
              + fromEncoding.name());
    }
    return fromType;
  }

  static InvalidMessageException tooLarge(String how, int maxBytes) {
    return new InvalidMessageException(
        "the body " + how + " the " + maxBytes + " that max-bytes allows");
  }

  private static String encodingOf(Envelope envelope) {
    String stated = envelope.contentEncoding();
    if (stated != null) {
      return stated;
    }
    for (Map.Entry<String, @Nullable Object> header : envelope.headers().entrySet()) {
      if (header.getKey().equalsIgnoreCase(HEADER)) {
        Object value = header.getValue();
        return value instanceof byte[] bytes
            ? new String(bytes, StandardCharsets.ISO_8859_1)
            : String.valueOf(value);
      }
    }
    return "";
  }

  private static @Nullable Charset charsetNamed(String name) {
    try {
      return name.isEmpty() ? null : Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return null;
    }
  }
}
