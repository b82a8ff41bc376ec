package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.rabbitmq.Rig.settled;
import static dev.acklast.spi.SettleResult.Status.DONE;
import static dev.acklast.spi.SettleResult.Status.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Health;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Delayed retries on a real broker. */
@Tag("broker")
class RetryTest {
  private Rig rig;
  private final Map<String, Instant> arrivals = new ConcurrentHashMap<>();
  private final RecordingSink sink =
      new RecordingSink()
          .reacting(delivery -> arrivals.put(delivery.envelope().position(), Instant.now()));

  @BeforeEach
  void setUp() throws Exception {
    rig = Rig.shared();
  }

  @AfterEach
  void tearDown() throws Exception {
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  void retryComesNotBeforeItsDelayAndSoonAfter(String type) throws Exception {
    rig.queue("sales", type);
    rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    Instant before = Instant.now();
    assertThat(settled(sink.delivery(0).acker().retry(Duration.ofMillis(900))).status())
        .isEqualTo(DONE);
    Envelope again = sink.delivery(1).envelope();
    Duration took = Duration.between(before, arrivals.get(again.position()));
    assertThat(took).isBetween(Duration.ofMillis(900), Duration.ofMillis(2500));
    assertThat(again.hint()).isEqualTo(RedeliveryHint.RETRIED);
    assertThat(ack(sink.delivery(1).acker())).isEqualTo(DONE);
    rig.endEmpty("sales");
  }

  /** A13: one queue with a TTL for each message would hold the short one behind the long one. */
  @Test
  @Tag("A13")
  void shortDelayDoesNotWaitBehindLongOne() throws Exception {
    rig.queue("sales", "quorum");
    rig.up(rig.source("sales"), sink);
    rig.publish("sales", "long", "short");
    assertThat(settled(sink.delivery(0).acker().retry(Duration.ofSeconds(4))).status())
        .isEqualTo(DONE);
    assertThat(settled(sink.delivery(1).acker().retry(Duration.ofMillis(500))).status())
        .isEqualTo(DONE);
    sink.awaitCount(4);
    assertThat(sink.bodies()).containsExactly("long", "short", "short", "long");
  }

  /** A12: a dead-letter cycle by TTL alone is dropped by the broker on its second round. */
  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  @Tag("A12")
  void messageIsUnchangedByManyRetriesAndNeverVanishes(String type) throws Exception {
    rig.queue("sales", type);
    rig.up(rig.source("sales"), sink);
    rig.publish("sales", everything(), "bödy");
    for (int round = 0; round < 6; round++) {
      Delivery delivery = sink.delivery(round);
      assertThat(settled(delivery.acker().retry(Duration.ofMillis(125))).status()).isEqualTo(DONE);
    }
    Envelope first = sink.all().get(0).envelope();
    Envelope last = sink.delivery(6).envelope();
    assertThat(last.body()).isEqualTo(first.body());
    assertThat(last.headers()).usingRecursiveComparison().isEqualTo(first.headers());
    assertThat(last.headers()).containsKeys("x-death", "x-mine").doesNotContainKey("acklast-retry");
    assertThat(last.messageId()).isEqualTo("id-1");
    assertThat(last.contentType()).isEqualTo("text/plain");
    assertThat(last.timestamp()).isEqualTo(first.timestamp());
    assertThat(last.hint()).isEqualTo(RedeliveryHint.RETRIED);
    ack(sink.delivery(6).acker());
    rig.endEmpty("sales");
  }

  private static BasicProperties everything() {
    return new BasicProperties.Builder()
        .messageId("id-1")
        .contentType("text/plain")
        .contentEncoding("identity")
        .correlationId("corr")
        .priority(3)
        .replyTo("answers")
        .type("sale")
        .appId("shop")
        .timestamp(Date.from(Instant.ofEpochMilli(1_700_000_000_000L)))
        .headers(
            Map.of(
                "x-mine",
                "kept",
                "n",
                42,
                "list",
                List.of("one", Map.of("deep", "zwei")),
                "bytes",
                new byte[] {0, 1, (byte) 0xFF},
                "x-death",
                List.of(Map.of("queue", "elsewhere", "reason", "rejected"))))
        .build();
  }

  /** A copied CC header would send a second copy elsewhere at each retry. */
  @Test
  void ccAndExpirationOfTheProducerAreNotRepeated() throws Exception {
    rig.queue("sales", "quorum");
    rig.queue("audit", "quorum");
    rig.up(rig.source("sales"), sink);
    BasicProperties properties =
        new BasicProperties.Builder()
            .headers(Map.of("CC", List.of("audit")))
            .expiration("300")
            .build();
    rig.publish("sales", properties, "a");
    settled(sink.delivery(0).acker().retry(Duration.ofSeconds(1)));
    Envelope again = sink.delivery(1).envelope();
    assertThat(again.headers()).isEqualTo(Map.of("CC", List.of("audit")));
    settled(sink.delivery(1).acker().deadLetter(Rig.death("d")));
    GetResponse dead = rig.take("sales.dlq");
    assertThat(dead.getProps().getHeaders().get("acklast-origin").toString())
        .contains("expiration=300", "audit", "routing-key=sales");
    assertThat(dead.getProps().getHeaders()).doesNotContainKeys("CC", "acklast-retry");
    assertThat(dead.getProps().getExpiration()).isNull();
    rig.endEmpty("audit");
  }

  @Test
  void delaysOutliveAMissingSource() throws Exception {
    rig.queue("sales", "quorum");
    Subscription subscription = rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    settled(sink.delivery(0).acker().retry(Duration.ofMillis(250)));
    rig.operator().queueDelete("sales");
    Rig.awaitHealth(subscription, Health.Status.DOWN, "queue 'sales'");
    rig.queue("sales", "quorum");
    assertThat(RecordingSink.text(sink.delivery(1))).isEqualTo("a");
    Rig.awaitUp(subscription);
  }

  @Test
  void delaysOutliveAFullSource() throws Exception {
    rig.queue(
        "sales",
        Map.of("x-queue-type", "classic", "x-max-length", 1, "x-overflow", "reject-publish"));
    Subscription subscription = rig.up(rig.source("sales"), Rig.settings(1), sink);
    rig.publish("sales", "a");
    Delivery first = sink.delivery(0);
    subscription.pause();
    settled(first.acker().retry(Duration.ofMillis(250)));
    rig.publish("sales", "b"); // full from here on
    Rig.awaiting().until(() -> rig.ready("sales.acklast.retry.250ms") == 0);
    sink.acking();
    subscription.resume();
    sink.awaitCount(3);
    assertThat(sink.bodies()).containsExactly("a", "b", "a");
  }

  @Test
  void retryFailsAndNothingIsLostWhereDelayQueuesAreSomethingElse() throws Exception {
    rig.queue("sales", "quorum");
    rig.operator()
        .queueDeclare("sales.acklast.retry.4s", true, false, false, Map.of("x-message-ttl", 4000));
    Subscription subscription = rig.start(rig.source("sales"), sink);
    Rig.awaitHealth(subscription, Health.Status.DEGRADED, "sales.acklast.retry.4s", "inequivalent");
    assertThat(sink.lastFacts().warnings()).anyMatch(w -> w.contains("wait in memory"));
    rig.publish("sales", "a");
    SettleResult result = settled(sink.delivery(0).acker().retry(Duration.ofSeconds(4)));
    assertThat(result.status()).isEqualTo(FAILED);
    assertThat(rig.ready("sales.acklast.retry.4s")).isZero();
    assertThat(ack(sink.delivery(0).acker())).isEqualTo(DONE);
  }
}
