package dev.acklast.runner;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.Key;
import dev.acklast.spi.Envelope;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * When the event happened: a text in ISO 8601 with an offset, or a whole number of milliseconds
 * since 1970. What is neither counts as unknown.
 */
interface EventTime extends BiFunction<JsonNode, Envelope, @Nullable Instant> {
  /** Reads where it stands. */
  static EventTime read(Value value) {
    String text = value.text();
    if (text.equals("timestamp")) {
      return (payload, envelope) -> envelope.timestamp();
    }
    if (text.startsWith("/")) {
      value.parse(text, Key::pointer);
      JsonPointer pointer = JsonPointer.compile(text);
      return (payload, envelope) -> of(payload.at(pointer));
    }
    if (text.startsWith("header:") && text.length() > "header:".length()) {
      String name = text.substring("header:".length());
      return (payload, envelope) -> of(envelope.headers().get(name));
    }
    throw value.error("must be a JSON pointer like /createdAt, or header:NAME, or timestamp");
  }

  private static @Nullable Instant of(JsonNode node) {
    if (node.isTextual()) {
      return of(node.textValue());
    }
    return node.isIntegralNumber() && node.canConvertToLong()
        ? Instant.ofEpochMilli(node.longValue())
        : null;
  }

  private static @Nullable Instant of(@Nullable Object header) {
    if (header instanceof Date date) {
      return date.toInstant();
    }
    if (header instanceof Long || header instanceof Integer) {
      return Instant.ofEpochMilli(((Number) header).longValue());
    }
    if (!(header instanceof String text)) {
      return null;
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
