package dev.acklast.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** What core sees of a message, and what users may name as a queue. */
class EnvelopeTest {
  private static final String NOTIFICATION =
      """
      {"Type": "Notification", "MessageId": "m-1", "TopicArn": "arn:aws:sns:eu-central-1:123:sales",
       "Subject": "sold", "Message": "{\\"saleId\\":\\"1\\"}", "Timestamp": "2026-01-01T00:00:00.000Z",
       "SignatureVersion": "1", "Signature": "x", "SigningCertURL": "https://x", "UnsubscribeURL": "y",
       "MessageAttributes": {"tenant": {"Type": "String", "Value": "seven"},
                             "count": {"Type": "Number", "Value": "42"},
                             "raw": {"Type": "Binary", "Value": "AP8H"}}}""";

  @Test
  @Tag("B12")
  void notificationOfSnsIsTakenOutOfItsWrapping() {
    Envelope envelope = envelope(NOTIFICATION, true);
    assertThat(text(envelope)).isEqualTo("{\"saleId\":\"1\"}");
    assertThat(envelope.headers()).containsEntry("tenant", "seven").containsEntry("count", 42L);
    assertThat((byte[]) envelope.headers().get("raw")).containsExactly(0, -1, 7);
  }

  @Test
  @Tag("B12")
  void notificationStaysAsItIsUnlessTheUserSaysOtherwise() {
    assertThat(text(envelope(NOTIFICATION, false))).isEqualTo(NOTIFICATION);
  }

  @ParameterizedTest
  @Tag("B12")
  @ValueSource(
      strings = {
        "{\"Type\":\"Notification\",\"Message\":\"x\",\"TopicArn\":\"our topic\"}",
        "{\"Type\":\"Notification\",\"MessageId\":\"1\",\"TopicArn\":\"arn:aws:sns:r:1:t\","
            + "\"Message\":\"x\",\"Timestamp\":\"t\",\"orderId\":\"7\"}",
        "{\"Type\":\"Notification\",\"MessageId\":\"1\",\"TopicArn\":\"arn:aws:sns:r:1:t\","
            + "\"Message\":{\"a\":1},\"Timestamp\":\"t\"}",
        "[\"TopicArn\"]",
        "\"TopicArn\" {"
      })
  void eventThatOnlyLooksLikeANotificationIsLeftAlone(String body) {
    assertThat(text(envelope(body, true))).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0042", "1E5", "+1", "1.50E3", "not a number", "--1"})
  void numberThatWouldChangeItsDigitsStaysText(String number) {
    assertThat(Attributes.number(number)).isEqualTo(number);
  }

  @Test
  void numbersKeepTheirDigits() {
    assertThat(Attributes.number("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThat(Attributes.number("9223372036854775808"))
        .isEqualTo(new BigDecimal("9223372036854775808"));
    assertThat(Attributes.number("-1.50")).hasToString("-1.50");
  }

  @Test
  void contentTypeIsFoundInItsUsualSpellings() {
    for (String name : List.of("contentType", "Content-Type", "content-type")) {
      Message message =
          message("{}").toBuilder()
              .messageAttributes(
                  Map.of(
                      name,
                      MessageAttributeValue.builder()
                          .dataType("String")
                          .stringValue("application/json")
                          .build()))
              .build();
      Received received = new Received(QueueName.of("sales"), message);
      assertThat(received.envelope(false, RedeliveryHint.FIRST).contentType())
          .isEqualTo("application/json");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "sales,sales,sales-dlq",
    "sales.fifo,sales.fifo,sales-dlq.fifo",
    "https://sqs.eu-central-1.amazonaws.com/123/sales,sales,sales-dlq",
    "arn:aws:sqs:eu-central-1:123:sales.fifo,sales.fifo,sales-dlq.fifo"
  })
  void queueIsNamedByNameUrlOrArn(String given, String name, String deadLetters) {
    QueueName queue = QueueName.of(given);
    assertThat(queue.name()).isEqualTo(name);
    assertThat(queue.deadLetterQueue().name()).isEqualTo(deadLetters);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sales.dlq", "a b", "https://me:s3cr3t@host/1/sales", "//", "x/y"})
  void whatCanBeNoQueueIsRefused(String given) {
    assertThatThrownBy(() -> QueueName.of(given))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("queue")
        .hasMessageNotContaining("s3cr3t");
  }

  @Test
  void optionsAreCheckedWhenTheyAreStated() {
    Options options = Options.of(List.of("sales"));
    assertThatThrownBy(() -> options.withVisibility(Duration.ofMillis(2_500)))
        .hasMessageContaining("visibilityTimeout must be whole seconds");
    assertThatThrownBy(() -> options.withLongPoll(Duration.ofSeconds(21)))
        .hasMessageContaining("longPoll must be whole seconds");
    assertThatThrownBy(() -> options.withPolls(0)).hasMessageContaining("polls must be 1 to 100");
    assertThatThrownBy(() -> Options.of(List.of("sales", "sales.fifo")))
        .hasMessageContaining("need a source of their own");
    assertThat(options.withVisibility(Duration.ofSeconds(2)).effectiveLongPoll())
        .isEqualTo(Duration.ofSeconds(1));
  }

  private static Envelope envelope(String body, boolean unwrap) {
    return new Received(QueueName.of("sales"), message(body))
        .envelope(unwrap, RedeliveryHint.FIRST);
  }

  private static Message message(String body) {
    return Message.builder()
        .messageId("id")
        .receiptHandle("handle")
        .body(body)
        .attributes(Map.of(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1"))
        .build();
  }

  private static String text(Envelope envelope) {
    return new String(envelope.body(), StandardCharsets.UTF_8);
  }
}
