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
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy of each body would cost
record Received(
    String queue, com.rabbitmq.client.Envelope amqp, BasicProperties properties, byte[] body) {

  String exchange() {
    return amqp.getExchange();
  }

  String routingKey() {
    return amqp.getRoutingKey();
  }

  long tag() {
    return amqp.getDeliveryTag();
  }

  /** As they came, in the client's types. */
  Map<String, @Nullable Object> headers() {
    Map<String, Object> headers = properties.getHeaders(); // its values may be null all the same
    return headers == null ? Map.of() : new LinkedHashMap<String, @Nullable Object>(headers);
  }

  /** The mark of an earlier retry, or one for the first. */
  RetryMark mark() {
    RetryMark mark = RetryMark.read(headers());
    return mark == null ? RetryMark.of(this) : mark;
  }

  /**
   * The broker-neutral view.
   *
   * @param ordered whether all messages of the queue come to one consumer, in order
   */
  Envelope envelope(boolean ordered) {
    Date timestamp = properties.getTimestamp();
    return Envelope.of(queue, body)
        .headers(producersHeaders())
        .position(queue + "#" + tag())
        .hint(hint())
        .messageId(properties.getMessageId())
        .orderingKey(ordered ? queue : null)
        .contentType(properties.getContentType())
        .contentEncoding(properties.getContentEncoding())
        .timestamp(timestamp == null ? null : timestamp.toInstant())
        .build();
  }

  private RedeliveryHint hint() {
    Object count = headers().get("x-delivery-count");
    boolean counted = count instanceof Number number && number.longValue() > 0;
    List<Map<?, ?>> deaths = Wire.deaths(headers());
    if (amqp.isRedeliver() || counted) {
      return RedeliveryHint.SUSPECT;
    }
    if (RetryMark.read(headers()) != null) {
      // Out of our delay queue and nowhere since: a user's own dead-letter cycle may have brought
      // it
      // round after a delivery.
      boolean straight = deaths.isEmpty() || isDelayQueue(deaths.get(0));
      return straight ? RedeliveryHint.RETRIED : RedeliveryHint.SUSPECT;
    }
    boolean wasHere = deaths.stream().anyMatch(death -> queue.equals(text(death.get("queue"))));
    return wasHere ? RedeliveryHint.SUSPECT : RedeliveryHint.FIRST;
  }

  private Map<String, @Nullable Object> producersHeaders() {
    Map<String, @Nullable Object> plain = Wire.plainTable(headers());
    plain.keySet().removeIf(Wire::isCount);
    RetryMark mark = RetryMark.read(headers());
    if (mark != null) {
      plain.remove(RetryMark.HEADER);
      removeTraceOfDelay(plain);
      mark.savedHeaders().forEach(plain::putIfAbsent);
    }
    return plain;
  }

  private void removeTraceOfDelay(Map<String, @Nullable Object> headers) {
    List<Map<?, ?>> others = new ArrayList<>(Wire.deaths(headers));
    others.removeIf(this::isDelayQueue);
    headers.remove("x-death");
    for (String prefix : List.of("x-first-death-", "x-last-death-")) {
      if (isDelayQueue(headers.get(prefix + "queue"))) {
        headers.keySet().removeIf(name -> name.startsWith(prefix));
      }
    }
    if (!others.isEmpty()) {
      headers.put("x-death", others);
    }
  }

  private boolean isDelayQueue(Map<?, ?> death) {
    return isDelayQueue(death.get("queue"));
  }

  private boolean isDelayQueue(@Nullable Object name) {
    return name != null && Ladder.isRung(queue, text(name));
  }

  private static String text(@Nullable Object value) {
    return String.valueOf(value);
  }

  /** The headers of a copy: the producer's, without what the broker would act upon. */
  Map<String, @Nullable Object> headersForCopy() {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>(headers());
    copy.keySet().removeIf(Wire::isTiedToOriginal);
    copy.remove(RetryMark.HEADER);
    return copy;
  }
}
