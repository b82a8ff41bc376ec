package dev.acklast.sqs;

import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** One message as SQS has delivered it. Immutable. */
final class Received {
  private final QueueName queue;
  private final Message message;
  private final DeathRecord death;

  Received(QueueName queue, Message message) {
    this.queue = queue;
    this.message = message;
    this.death = DeathRecord.of(message.messageAttributes());
  }

  String handle() {
    return message.receiptHandle();
  }

  String messageId() {
    return message.messageId();
  }

  String body() {
    return message.body();
  }

  /** The user's own attributes: all but the record of an earlier death. */
  Map<String, MessageAttributeValue> attributes() {
    return death.attributes();
  }

  /** How often SQS has delivered it, this time included; 0 if it does not say. */
  int receiveCount() {
    String count = system(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
    return count == null ? 0 : Integer.parseInt(count);
  }

  /** The message group; standard queues have some too, for fairness, without an order. */
  @Nullable String group() {
    return system(MessageSystemAttributeName.MESSAGE_GROUP_ID);
  }

  @Nullable String system(MessageSystemAttributeName name) {
    return message.attributes().get(name);
  }

  /** What core gets to see. */
  Envelope envelope(boolean unwrapsSns, RedeliveryHint hint) {
    SnsNotification notification = unwrapsSns ? SnsNotification.in(message.body()) : null;
    Map<String, Object> headers = new LinkedHashMap<>();
    attributes().forEach((name, value) -> headers.put(name, Attributes.header(value)));
    if (notification != null) {
      headers.putAll(notification.headers());
    }
    String carried = death.carried();
    if (carried != null) {
      headers.put(DeathReport.HEADER, carried);
    }
    String body = notification == null ? message.body() : notification.message();
    String sent = system(MessageSystemAttributeName.SENT_TIMESTAMP);
    return Envelope.of(queue.name(), body.getBytes(StandardCharsets.UTF_8))
        .headers(headers)
        .position(message.messageId())
        .hint(hint)
        .messageId(message.messageId())
        .recordKey(group())
        .orderingKey(queue.isFifo() ? group() : null)
        .contentType(named(headers, "contenttype"))
        .contentEncoding(named(headers, "contentencoding"))
        .timestamp(sent == null ? null : Instant.ofEpochMilli(Long.parseLong(sent)))
        .build();
  }

  /** The service has no such field, and producers write {@code contentType} or Content-Type. */
  private static @Nullable String named(Map<String, Object> headers, String name) {
    for (Map.Entry<String, Object> header : headers.entrySet()) {
      String plain = header.getKey().replace("-", "").toLowerCase(Locale.ROOT);
      if (plain.equals(name) && header.getValue() instanceof String text) {
        return text;
      }
    }
    return null;
  }
}
