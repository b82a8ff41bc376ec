package dev.acklast.kafka;

import dev.acklast.spi.Envelope;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Reads records as envelopes. */
final class Records {
  private static final byte[] NOTHING = {};
  private static final int OVERHEAD = 200;

  private Records() {}

  /** All that the record says; its hint is yet to be set. A record without a value has no bytes. */
  static Envelope.Builder envelope(ConsumerRecord<byte[], byte[]> record) {
    Map<String, @Nullable Object> headers = new LinkedHashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), value(header.value()));
    }
    String key = text(record.key());
    return Envelope.of(record.topic(), record.value() == null ? NOTHING : record.value())
        .headers(headers)
        .position(record.partition() + ":" + record.offset())
        .recordKey(key)
        .orderingKey(key == null ? binary(record.key()) : key)
        .contentType(textOf(headers, "content-type"))
        .contentEncoding(textOf(headers, "content-encoding"))
        .timestamp(record.timestamp() < 0 ? null : Instant.ofEpochMilli(record.timestamp()));
  }

  /** Roughly what it takes in memory. */
  static long bytes(ConsumerRecord<byte[], byte[]> record) {
    long bytes = OVERHEAD + length(record.key()) + length(record.value());
    for (Header header : record.headers()) {
      bytes += header.key().length() + length(header.value());
    }
    return bytes;
  }

  private static long length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  /** Producers write numbers as raw bytes too: those are no text. */
  private static @Nullable Object value(byte @Nullable [] bytes) {
    String text = text(bytes);
    boolean plain =
        text != null && text.chars().allMatch(c -> c >= ' ' || c == '\t' || c == '\n' || c == '\r');
    return plain ? text : bytes;
  }

  private static @Nullable String textOf(Map<String, @Nullable Object> headers, String name) {
    return headers.get(name) instanceof String text && !text.isBlank() ? text : null;
  }

  private static @Nullable String binary(byte @Nullable [] key) {
    return key == null ? null : "base64:" + Base64.getEncoder().encodeToString(key);
  }

  private static @Nullable String text(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
