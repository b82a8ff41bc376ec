package dev.acklast.testkit.handler;

import dev.acklast.spi.Envelope;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One message that the user gave.
 *
 * @param number from 1, for people
 */
record Sample(int number, Envelope message) {

  /** The same intention, sent once more by its producer. */
  Envelope resent(int time, boolean keepsId) {
    String id = message.messageId();
    Instant sent = message.timestamp();
    return copy(
        id == null || keepsId ? id : id + "-resent-" + time,
        sent == null ? null : sent.plus(Duration.ofSeconds(time)));
  }

  private Envelope copy(@Nullable String messageId, @Nullable Instant timestamp) {
    return Envelope.of(message.source(), message.body())
        .headers(message.headers())
        .messageId(messageId)
        .recordKey(message.recordKey())
        .orderingKey(message.orderingKey())
        .contentType(message.contentType())
        .contentEncoding(message.contentEncoding())
        .timestamp(timestamp)
        .build();
  }

  @Override
  public String toString() {
    return "message " + number;
  }
}
