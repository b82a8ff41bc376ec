package dev.acklast.spi;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The broker-neutral view of one received message. Immutable and safe for use by several threads,
 * as long as nobody writes into the body's array, which is handed out as it is.
 *
 * <p>Headers are named as the producer named them. Their values are {@code String}, {@code Long} or
 * another {@code Number}, {@code Boolean}, {@code byte[]}, {@code java.util.Date}, a {@code List}
 * or {@code Map} of those, or null: an adapter turns its client's own types into these. What an
 * adapter added itself (a retry's bookkeeping) is taken off again.
 */
public final class Envelope {
  private final byte[] body;
  private final Map<String, @Nullable Object> headers;
  private final String source;
  private final String position;
  private final RedeliveryHint hint;
  private final @Nullable String messageId;
  private final @Nullable String recordKey;
  private final @Nullable String orderingKey;
  private final @Nullable String contentType;
  private final @Nullable String contentEncoding;
  private final @Nullable Instant timestamp;
  private final boolean lastDelivery;
  private final boolean toSkip;

  private Envelope(Builder builder) {
    this.body = builder.body;
    this.headers = Collections.unmodifiableMap(new LinkedHashMap<>(builder.headers));
    this.source = builder.source;
    this.position = builder.position;
    this.hint = builder.hint;
    this.messageId = builder.messageId;
    this.recordKey = builder.recordKey;
    this.orderingKey = builder.orderingKey;
    this.contentType = builder.contentType;
    this.contentEncoding = builder.contentEncoding;
    this.timestamp = builder.timestamp;
    this.lastDelivery = builder.lastDelivery;
    this.toSkip = builder.toSkip;
  }

  /**
   * Starts an envelope.
   *
   * @param source the queue or topic it came from, as the user named it; free of credentials
   * @param body the bytes as received; kept, not copied
   */
  public static Builder of(String source, byte[] body) {
    return new Builder(source, body);
  }

  /** The body's bytes as received, still compressed if the producer compressed them. */
  public byte[] body() {
    return body;
  }

  /** All headers; unmodifiable. */
  public Map<String, @Nullable Object> headers() {
    return headers;
  }

  /**
   * A header as text: a string as it is, an integral number in decimal digits, a boolean as {@code
   * true} or {@code false}.
   *
   * @return null if there is no such header, or its value has no such plain text form
   */
  public @Nullable String header(String name) {
    Object value = headers.get(name);
    if (value instanceof String text) {
      return text;
    }
    boolean plain =
        value instanceof Long
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Byte
            || value instanceof java.math.BigInteger
            || value instanceof Boolean;
    return plain ? String.valueOf(value) : null;
  }

  /** The queue or topic it came from. */
  public String source() {
    return source;
  }

  /** Where to find it, for logs: a delivery tag, a partition and offset, a message id. */
  public String position() {
    return position;
  }

  /** What the adapter knows of its past. */
  public RedeliveryHint hint() {
    return hint;
  }

  /**
   * The id that producer or broker gave this message; names an attempt to send, not the intention.
   */
  public @Nullable String messageId() {
    return messageId;
  }

  /**
   * The broker's own key of the record: a Kafka record's key read as UTF-8, a FIFO message group.
   */
  public @Nullable String recordKey() {
    return recordKey;
  }

  /** Messages with the same ordering key are delivered in order, where the source keeps order. */
  public @Nullable String orderingKey() {
    return orderingKey;
  }

  /** The media type that the producer stated. */
  public @Nullable String contentType() {
    return contentType;
  }

  /** The encoding of the body that the producer stated, {@code gzip} say. */
  public @Nullable String contentEncoding() {
    return contentEncoding;
  }

  /** When the message was sent, by the producer's or the broker's clock. */
  public @Nullable Instant timestamp() {
    return timestamp;
  }

  /**
   * Whether the broker would not deliver it another time: core then dead-letters it, unless its
   * effect is committed, rather than begin a run that could end without an outcome.
   */
  public boolean isLastDelivery() {
    return lastDelivery;
  }

  /**
   * Whether a policy that the user gave the source leaves this message out: core acks it as skipped
   * without decoding it.
   */
  public boolean isToSkip() {
    return toSkip;
  }

  /** Names source and position only: a payload must not reach a log by accident. */
  @Override
  public String toString() {
    return source + "@" + position;
  }

  /** Collects an envelope's parts; for one thread. */
  public static final class Builder {
    private final String source;
    private final byte[] body;
    private Map<String, ? extends @Nullable Object> headers = Map.of();
    private String position = "?";
    private RedeliveryHint hint = RedeliveryHint.SUSPECT;
    private @Nullable String messageId;
    private @Nullable String recordKey;
    private @Nullable String orderingKey;
    private @Nullable String contentType;
    private @Nullable String contentEncoding;
    private @Nullable Instant timestamp;
    private boolean lastDelivery;
    private boolean toSkip;

    private Builder(String source, byte[] body) {
      this.source = Objects.requireNonNull(source, "source");
      this.body = Objects.requireNonNull(body, "body");
    }

    /** Sets all headers; copied at {@link #build()}. */
    public Builder headers(Map<String, ? extends @Nullable Object> headers) {
      this.headers = headers;
      return this;
    }

    /** Sets the loggable position; {@code ?} if never set. */
    public Builder position(String position) {
      this.position = position;
      return this;
    }

    /** Sets the hint; {@link RedeliveryHint#SUSPECT} if never set, which is always safe. */
    public Builder hint(RedeliveryHint hint) {
      this.hint = hint;
      return this;
    }

    /** Sets the message id. */
    public Builder messageId(@Nullable String messageId) {
      this.messageId = messageId;
      return this;
    }

    /** Sets the broker's record key. */
    public Builder recordKey(@Nullable String recordKey) {
      this.recordKey = recordKey;
      return this;
    }

    /** Sets the ordering key. */
    public Builder orderingKey(@Nullable String orderingKey) {
      this.orderingKey = orderingKey;
      return this;
    }

    /** Sets the media type. */
    public Builder contentType(@Nullable String contentType) {
      this.contentType = contentType;
      return this;
    }

    /** Sets the content encoding. */
    public Builder contentEncoding(@Nullable String contentEncoding) {
      this.contentEncoding = contentEncoding;
      return this;
    }

    /** Sets the time of sending. */
    public Builder timestamp(@Nullable Instant timestamp) {
      this.timestamp = timestamp;
      return this;
    }

    /** Says that the broker would not deliver it another time; false if never set. */
    public Builder lastDelivery(boolean lastDelivery) {
      this.lastDelivery = lastDelivery;
      return this;
    }

    /** Says that the source's policy leaves it out; false if never set. */
    public Builder toSkip(boolean toSkip) {
      this.toSkip = toSkip;
      return this;
    }

    /** Makes the envelope. */
    public Envelope build() {
      return new Envelope(this);
    }
  }
}
