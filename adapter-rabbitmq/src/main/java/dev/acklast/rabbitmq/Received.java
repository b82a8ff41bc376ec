package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message as the broker delivered it, and how it reads in Acklast's terms. Immutable, but for
 * the body's array.
 */
record Received(
    String queue, com.rabbitmq.client.Envelope amqp, BasicProperties properties, byte[] body) {

  /** As they came, in the client's types; the caller's to change. */
  Map<String, @Nullable Object> headers() {
    Map<String, Object> headers = properties.getHeaders(); // its values may be null all the same
    return headers == null ? new LinkedHashMap<>() : new LinkedHashMap<>(headers);
  }

  /**
   * The broker-neutral view.
   *
   * @param ordered whether all messages of the queue come to one consumer, in order
   */
  Envelope envelope(boolean ordered) {
    Map<String, @Nullable Object> headers = Wire.plainTable(headers());
    RedeliveryHint hint = hint(headers);
    makeProducers(headers);
    Date timestamp = properties.getTimestamp();
    return Envelope.of(queue, body)
        .headers(headers)
        .position(queue + "#" + amqp.getDeliveryTag())
        .hint(hint)
        .messageId(properties.getMessageId())
        .orderingKey(ordered ? queue : null)
        .contentType(properties.getContentType())
        .contentEncoding(properties.getContentEncoding())
        .timestamp(timestamp == null ? null : timestamp.toInstant())
        .build();
  }

  private RedeliveryHint hint(Map<String, @Nullable Object> headers) {
    boolean counted =
        headers.get("x-delivery-count") instanceof Number number && number.longValue() > 0;
    if (amqp.isRedeliver() || counted) {
      return RedeliveryHint.SUSPECT;
    }
    List<Map<?, ?>> deaths = deaths(headers);
    if (Copies.readMark(headers) != null) {
      // Out of our delay queue and nowhere since: a user's own dead-letter cycle may have brought
      // it round after a delivery.
      boolean straight = deaths.isEmpty() || isDelayQueue(deaths.get(0).get("queue"));
      return straight ? RedeliveryHint.RETRIED : RedeliveryHint.SUSPECT;
    }
    boolean wasHere = deaths.stream().anyMatch(death -> queue.equals(death.get("queue")));
    return wasHere ? RedeliveryHint.SUSPECT : RedeliveryHint.FIRST;
  }

  /** Takes off what the broker and earlier retries have added. */
  private void makeProducers(Map<String, @Nullable Object> headers) {
    headers.keySet().removeIf(Wire::isCount);
    Map<String, @Nullable Object> mark = Copies.readMark(headers);
    if (mark != null) {
      headers.remove(Copies.RETRY_HEADER);
      removeTraceOfDelay(headers);
      Copies.savedHeaders(mark).forEach(headers::putIfAbsent);
    }
  }

  private void removeTraceOfDelay(Map<String, @Nullable Object> headers) {
    List<Map<?, ?>> others = deaths(headers);
    others.removeIf(death -> isDelayQueue(death.get("queue")));
    headers.remove("x-death");
    if (!others.isEmpty()) {
      headers.put("x-death", others);
    }
    for (String prefix : List.of("x-first-death-", "x-last-death-")) {
      if (isDelayQueue(headers.get(prefix + "queue"))) {
        headers.keySet().removeIf(name -> name.startsWith(prefix));
      }
    }
  }

  /** The entries of {@code x-death}, the newest first; empty if there are none. */
  private static List<Map<?, ?>> deaths(Map<String, @Nullable Object> headers) {
    List<Map<?, ?>> deaths = new ArrayList<>();
    if (headers.get("x-death") instanceof List<?> list) {
      for (Object entry : list) {
        if (entry instanceof Map<?, ?> table) {
          deaths.add(table);
        }
      }
    }
    return deaths;
  }

  private boolean isDelayQueue(@Nullable Object name) {
    return name instanceof String text && Ladder.isRung(queue, text);
  }
}
