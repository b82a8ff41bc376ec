package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.acklast.spi.DeathReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The properties of what is published for a message: its retry and its dead letter.
 *
 * <p>What a retried copy cannot keep in its place is in one table in the header {@value
 * #RETRY_HEADER}, until the message is settled: {@code exchange} and {@code routing-key} that the
 * producer published with, and where there were any {@code expiration}, {@code user-id} and {@code
 * headers}, those that the broker would act upon.
 */
final class Copies {
  /** Marks a retried copy. */
  static final String RETRY_HEADER = "acklast-retry";

  /** In a dead letter whose original had an expiration, a user id or CC: those, as one table. */
  static final String ORIGIN_HEADER = "acklast-origin";

  private static final int PERSISTENT = 2;

  private Copies() {}

  static BasicProperties forRetry(Received received) {
    return copy(received, Map.of(RETRY_HEADER, mark(received)));
  }

  static BasicProperties forDeadLetter(Received received, DeathReport report) {
    Map<String, Object> ours = new LinkedHashMap<>();
    ours.put(DeathReport.HEADER, report.toHeader());
    Map<String, @Nullable Object> mark = mark(received);
    Map<String, @Nullable Object> origin = new LinkedHashMap<>(mark);
    origin.put("cc", savedHeaders(mark).get("CC"));
    origin.remove("headers");
    origin.values().removeIf(Objects::isNull);
    boolean lacksNothing = List.of("exchange", "routing-key").containsAll(origin.keySet());
    if (!lacksNothing) {
      ours.put(ORIGIN_HEADER, origin);
    }
    return copy(received, ours);
  }

  /** The mark that says that a message is a retried copy; null if it is none. */
  static @Nullable Map<String, @Nullable Object> readMark(Map<String, @Nullable Object> headers) {
    return headers.get(RETRY_HEADER) instanceof Map<?, ?> mark && mark.containsKey("exchange")
        ? Wire.plainTable(mark)
        : null;
  }

  /** The headers that the original had and the copy has not. */
  static Map<String, @Nullable Object> savedHeaders(Map<String, @Nullable Object> mark) {
    return mark.get("headers") instanceof Map<?, ?> saved ? Wire.plainTable(saved) : Map.of();
  }

  /** The mark that a message has, or a new one if this is its first retry. */
  private static Map<String, @Nullable Object> mark(Received received) {
    Map<String, @Nullable Object> saved = received.headers();
    Map<String, @Nullable Object> earlier = readMark(saved);
    if (earlier != null) {
      return earlier;
    }
    saved.keySet().removeIf(name -> !Wire.isTiedToOriginal(name) || Wire.isCount(name));
    Map<String, @Nullable Object> mark = new LinkedHashMap<>();
    mark.put("exchange", received.amqp().getExchange());
    mark.put("routing-key", received.amqp().getRoutingKey());
    mark.put("expiration", received.properties().getExpiration());
    mark.put("user-id", received.properties().getUserId());
    mark.put("headers", saved.isEmpty() ? null : saved);
    mark.values().removeIf(Objects::isNull);
    return mark;
  }

  /**
   * With the producer's headers and ours. Without the expiration, which would end the copy, and
   * without the user id, which the broker compares with ours.
   */
  private static BasicProperties copy(Received received, Map<String, Object> ours) {
    Map<String, @Nullable Object> headers = received.headers();
    headers.keySet().removeIf(Wire::isTiedToOriginal);
    headers.remove(RETRY_HEADER);
    headers.putAll(ours);
    return received
        .properties()
        .builder()
        .headers(headers)
        .deliveryMode(PERSISTENT)
        .expiration(null)
        .userId(null)
        .build();
  }
}
