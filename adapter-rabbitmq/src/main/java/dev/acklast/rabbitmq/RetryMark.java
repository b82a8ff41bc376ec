package dev.acklast.rabbitmq;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a retried copy could not keep in its place, carried in one header until the message is
 * settled. Immutable.
 *
 * @param table as it stands in the header: {@code exchange} and {@code routing-key} that the
 *     producer published with, and where there were any {@code expiration}, {@code user-id} and
 *     {@code headers}, a table of those that the broker would act upon
 */
record RetryMark(Map<String, @Nullable Object> table) {
  /** The header. */
  static final String HEADER = "acklast-retry";

  private static final String EXCHANGE = "exchange";
  private static final String SAVED_HEADERS = "headers";

  /** Reads it from a message's headers; null if this message is no retried copy. */
  static @Nullable RetryMark read(Map<String, @Nullable Object> headers) {
    if (headers.get(HEADER) instanceof Map<?, ?> table && table.containsKey(EXCHANGE)) {
      return new RetryMark(Wire.plainTable(table));
    }
    return null;
  }

  /** Makes the mark for the first retry of a message. */
  static RetryMark of(Received received) {
    Map<String, @Nullable Object> table = new LinkedHashMap<>();
    table.put(EXCHANGE, received.exchange());
    table.put("routing-key", received.routingKey());
    putIfPresent(table, "expiration", received.properties().getExpiration());
    putIfPresent(table, "user-id", received.properties().getUserId());
    Map<String, @Nullable Object> saved = new LinkedHashMap<>();
    received
        .headers()
        .forEach(
            (name, value) -> {
              if (Wire.isTiedToOriginal(name) && !Wire.isCount(name)) {
                saved.put(name, value);
              }
            });
    if (!saved.isEmpty()) {
      table.put(SAVED_HEADERS, saved);
    }
    return new RetryMark(table);
  }

  /** The headers that the original had and the copy has not. */
  Map<String, @Nullable Object> savedHeaders() {
    return table.get(SAVED_HEADERS) instanceof Map<?, ?> saved ? Wire.plainTable(saved) : Map.of();
  }

  /**
   * What is worth keeping with a dead letter: where a copy that the broker would have sent on, let
   * expire or refused came from. Empty if the copy lacks nothing.
   */
  Map<String, @Nullable Object> lostInCopy() {
    Map<String, @Nullable Object> lost = new LinkedHashMap<>();
    putIfPresent(lost, "expiration", table.get("expiration"));
    putIfPresent(lost, "user-id", table.get("user-id"));
    putIfPresent(lost, "cc", savedHeaders().get(Wire.CC));
    if (!lost.isEmpty()) {
      lost.put(EXCHANGE, table.get(EXCHANGE));
      lost.put("routing-key", table.get("routing-key"));
    }
    return lost;
  }

  private static void putIfPresent(
      Map<String, @Nullable Object> table, String name, @Nullable Object value) {
    if (value != null) {
      table.put(name, value);
    }
  }
}
