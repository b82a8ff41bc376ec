package dev.acklast.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import dev.acklast.spi.RedeliveryHint;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hints from crafted deliveries: what only other versions of the broker send. */
class HintTest {
  private static final Map<String, Object> MARK = Map.of("exchange", "", "routing-key", "sales");

  private static Received received(boolean redelivered, Map<String, Object> headers) {
    return new Received(
        "sales",
        new Envelope(1, redelivered, "", "sales"),
        new BasicProperties.Builder().headers(headers).build(),
        new byte[0]);
  }

  private static RedeliveryHint hint(boolean redelivered, Map<String, Object> headers) {
    return received(redelivered, headers).envelope(false).hint();
  }

  private static Map<String, Object> death(String queue) {
    return Map.of("queue", queue, "reason", "expired", "count", 1L);
  }

  @Test
  void firstOnlyIfNothingSpeaksAgainstIt() {
    assertThat(hint(false, Map.of())).isEqualTo(RedeliveryHint.FIRST);
    assertThat(hint(false, Map.of("x-delivery-count", 0L))).isEqualTo(RedeliveryHint.FIRST);
    assertThat(hint(true, Map.of())).isEqualTo(RedeliveryHint.SUSPECT);
    assertThat(hint(false, Map.of("x-delivery-count", 1L))).isEqualTo(RedeliveryHint.SUSPECT);
  }

  @Test
  void retriedOnlyStraightOutOfOurDelayQueue() {
    Object ours = List.of(death("sales.acklast.retry.2s"));
    assertThat(hint(false, Map.of("acklast-retry", MARK, "x-death", ours)))
        .isEqualTo(RedeliveryHint.RETRIED);
    assertThat(hint(false, Map.of("acklast-retry", MARK))).isEqualTo(RedeliveryHint.RETRIED);
    assertThat(hint(true, Map.of("acklast-retry", MARK))).isEqualTo(RedeliveryHint.SUSPECT);
    Object round = List.of(death("sales"), death("sales.acklast.retry.2s"));
    assertThat(hint(false, Map.of("acklast-retry", MARK, "x-death", round)))
        .isEqualTo(RedeliveryHint.SUSPECT);
    assertThat(hint(false, Map.of("acklast-retry", "a producer's own")))
        .isEqualTo(RedeliveryHint.FIRST);
  }

  /** A user's own dead-letter cycle: it may have been delivered and returned here before. */
  @Test
  void messageThatDiedHereIsSuspect() {
    assertThat(hint(false, Map.of("x-death", List.of(death("sales")))))
        .isEqualTo(RedeliveryHint.SUSPECT);
    assertThat(hint(false, Map.of("x-death", List.of(death("elsewhere")))))
        .isEqualTo(RedeliveryHint.FIRST);
  }

  /** A16: RabbitMQ 4.3 counts a returned message only here; it flags it as redelivered, too. */
  @Test
  @Tag("A16")
  void countsOfTheBrokerAreNeverTakenForTheProducersHeaders() {
    Map<String, Object> headers = Map.of("x-acquired-count", 3L, "x-delivery-count", 0L, "n", 1);
    Received received = received(true, headers);
    assertThat(received.envelope(false).headers()).containsOnlyKeys("n");
    assertThat(received.envelope(false).hint()).isEqualTo(RedeliveryHint.SUSPECT);
    assertThat(Copies.forRetry(received).getHeaders()).containsOnlyKeys("n", "acklast-retry");
  }

  /** A11: the broker's own death records do not travel; the user's headers do. */
  @Test
  @Tag("A11")
  void copiesCarryNoDeathRecordsOfTheBroker() {
    Map<String, Object> headers =
        Map.of(
            "x-death", List.of(death("a")),
            "x-first-death-queue", "a",
            "x-last-death-reason", "rejected",
            "x-delivery-count", 4L,
            "x-tenant", "t");
    Received received = received(true, headers);
    assertThat(Copies.forDeadLetter(received, Rig.death("d")).getHeaders())
        .containsOnlyKeys("x-tenant", "acklast-death");
    assertThat(received.envelope(false).headers())
        .containsOnlyKeys("x-death", "x-first-death-queue", "x-last-death-reason", "x-tenant");
  }
}
