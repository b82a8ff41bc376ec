package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.acklast.spi.DeathReport;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of what is published for a message: its retry and its dead letter. */
final class Copies {
  /** In a dead letter whose original had an expiration, a user id or CC: those, as one table. */
  static final String ORIGIN_HEADER = "acklast-origin";

  private static final int PERSISTENT = 2;

  private Copies() {}

  static BasicProperties forRetry(Received received) {
    Map<String, @Nullable Object> headers = received.headersForCopy();
    headers.put(RetryMark.HEADER, received.mark().table());
    return copy(received, headers);
  }

  static BasicProperties forDeadLetter(Received received, DeathReport report) {
    Map<String, @Nullable Object> headers = received.headersForCopy();
    Map<String, @Nullable Object> lost = received.mark().lostInCopy();
    if (!lost.isEmpty()) {
      headers.put(ORIGIN_HEADER, lost);
    }
    headers.put(DeathReport.HEADER, report.toHeader());
    return copy(received, headers);
  }

  /**
   * Without the expiration, which would end the copy, and without the user id, which the broker
   * compares with ours.
   */
  private static BasicProperties copy(Received received, Map<String, @Nullable Object> headers) {
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
