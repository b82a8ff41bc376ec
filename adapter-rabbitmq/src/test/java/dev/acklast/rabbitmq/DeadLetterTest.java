package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.rabbitmq.Rig.settled;
import static dev.acklast.spi.SettleResult.Status.DONE;
import static dev.acklast.spi.SettleResult.Status.FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead letters on a real broker: there byte for byte, or FAILED and nothing lost. */
@Tag("broker")
class DeadLetterTest {
  private Rig rig;
  private final RecordingSink sink = new RecordingSink();

  @BeforeEach
  void setUp() throws Exception {
    rig = Rig.shared();
    rig.queue("sales", "quorum");
  }

  @AfterEach
  void tearDown() throws Exception {
    rig.close();
  }

  /** A21: also what was published non-persistent is persistent as a dead letter. */
  @Test
  @Tag("A21")
  void copyIsTheOriginalByteForByteAndPersistent() throws Exception {
    rig.up(rig.source("sales"), sink);
    BasicProperties sent =
        new BasicProperties.Builder()
            .deliveryMode(1)
            .messageId("id-1")
            .correlationId("corr")
            .contentType("application/json")
            .contentEncoding("gzip")
            .type("sale")
            .appId("shop")
            .replyTo("answers")
            .priority(2)
            .timestamp(Date.from(Instant.ofEpochMilli(1_700_000_000_000L)))
            .headers(Map.of("tenant", "ünö", "n", 7L, "list", List.of("a", 1), "x-own", true))
            .build();
    rig.publish("sales", sent, "bödy");
    assertThat(settled(sink.delivery(0).acker().deadLetter(Rig.death("d-1"))).status())
        .isEqualTo(DONE);
    GetResponse dead = rig.take("sales.dlq");
    assertThat(dead.getBody()).isEqualTo("bödy".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    BasicProperties got = dead.getProps();
    assertThat(got.getDeliveryMode()).isEqualTo(2);
    assertThat(got.builder().headers(null).deliveryMode(1).build())
        .isEqualTo(sent.builder().headers(null).build());
    Map<String, Object> headers = Wire.plainTable(got.getHeaders());
    headers.remove("x-delivery-count"); // of this reading, from a quorum queue
    assertThat(headers.remove(DeathReport.HEADER)).isEqualTo(Rig.death("d-1").toHeader());
    assertThat(headers).isEqualTo(sent.getHeaders());
    rig.publish("sales", "behind");
    assertThat(sink.delivery(1).envelope().hint().name()).isEqualTo("FIRST");
    assertThat(ack(sink.delivery(0).acker())).isEqualTo(DONE); // it was ours until now
  }

  @Test
  void secondDeathReplacesTheReportOfTheFirst() throws Exception {
    rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    settled(sink.delivery(0).acker().deadLetter(Rig.death("d-1")));
    sink.delivery(0).acker().ack();
    GetResponse dead = rig.take("sales.dlq");
    rig.operator().basicPublish("", "sales", dead.getProps(), dead.getBody()); // redriven
    assertThat(sink.delivery(1).envelope().header(DeathReport.HEADER)).contains("d-1");
    settled(sink.delivery(1).acker().deadLetter(Rig.death("d-2")));
    Map<String, Object> headers = Wire.plainTable(rig.take("sales.dlq").getProps().getHeaders());
    headers.remove("x-delivery-count");
    assertThat(headers).containsOnlyKeys(DeathReport.HEADER);
    assertThat(String.valueOf(headers.get(DeathReport.HEADER))).contains("d-2");
  }

  /** A22: an expiration would let the dead letter vanish, a user id would close the channel. */
  @Test
  @Tag("A22")
  void expirationAndUserIdDoNotFollow() throws Exception {
    rig.up(rig.source("sales"), sink);
    BasicProperties sent =
        new BasicProperties.Builder().expiration("60000").userId(rig.server.user()).build();
    rig.publish("sales", sent, "a");
    Acker acker = sink.delivery(0).acker();
    assertThat(settled(acker.deadLetter(Rig.death("d"))).status()).isEqualTo(DONE);
    BasicProperties got = rig.take("sales.dlq").getProps();
    assertThat(got.getExpiration()).isNull();
    assertThat(got.getUserId()).isNull();
    assertThat(got.getHeaders().get(Copies.ORIGIN_HEADER).toString()).contains("expiration=60000");
  }

  /** A08: an unroutable publish is confirmed as positive; only the return tells. */
  @Test
  @Tag("A08")
  void unroutableDeadLetterFailsAndHealsWithTheBinding() throws Exception {
    rig.operator().exchangeDeclare("dlx", "direct", true);
    rig.queue("graves", "quorum");
    Subscription subscription = rig.up(rig.source("sales").deadLetterExchange("dlx", "dead"), sink);
    rig.publish("sales", "poison");
    Acker acker = sink.delivery(0).acker();
    SettleResult result = settled(acker.deadLetter(Rig.death("d")));
    assertThat(result.status()).isEqualTo(FAILED);
    assertThat(result.reason()).contains("not routed", "dlx");
    Rig.awaitHealth(subscription, Health.Status.DEGRADED, "dlx");
    rig.operator().queueBind("graves", "dlx", "dead");
    assertThat(settled(acker.deadLetter(Rig.death("d"))).status()).isEqualTo(DONE);
    assertThat(ack(acker)).isEqualTo(DONE);
    Rig.awaitUp(subscription);
    rig.take("graves");
    assertThat(rig.ready("graves")).isZero();
    rig.endEmpty("sales");
  }

  /** A10: publishing to a missing exchange closes a channel: not the consuming one. */
  @Test
  @Tag("A10")
  void exchangeThatVanishesCostsNeitherMessageNorConsumer() throws Exception {
    rig.operator().exchangeDeclare("dlx", "fanout", true);
    Subscription subscription = rig.up(rig.source("sales").deadLetterExchange("dlx", ""), sink);
    rig.operator().exchangeDelete("dlx");
    rig.publish("sales", "poison", "1", "2", "3", "4", "5");
    Acker poison = sink.delivery(0).acker();
    SettleResult first = settled(poison.deadLetter(Rig.death("d")));
    assertThat(first.status()).isEqualTo(FAILED);
    assertThat(first.reason()).contains("dlx");
    assertThat(settled(poison.deadLetter(Rig.death("d"))).status()).isEqualTo(FAILED);
    Rig.awaitHealth(subscription, Health.Status.DEGRADED, "dlx");
    for (int i = 1; i <= 5; i++) {
      assertThat(ack(sink.delivery(i).acker())).isEqualTo(DONE);
    }
    assertThat(poison.isLive()).isTrue();
    rig.operator().exchangeDeclare("dlx", "fanout", true);
    rig.queue("graves", "classic");
    rig.operator().queueBind("graves", "dlx", "");
    Rig.awaiting().until(() -> settled(poison.deadLetter(Rig.death("d"))).isDone());
    Rig.awaitUp(subscription);
  }

  /** A10: better than to find out later. */
  @Test
  @Tag("A10")
  void doesNotConsumeWhileTheExchangeIsMissingAtStart() throws Exception {
    rig.publish("sales", "a");
    Subscription subscription = rig.start(rig.source("sales").deadLetterExchange("nope", ""), sink);
    Rig.awaitHealth(subscription, Health.Status.DOWN, "dead-letter exchange 'nope'", "create it");
    assertThat(sink.all()).isEmpty();
    rig.operator().exchangeDeclare("nope", "fanout", true);
    sink.awaitCount(1);
    Rig.awaitUp(subscription);
  }

  @Test
  void missingDeadLetterQueueIsMadeAgain() throws Exception {
    rig.up(rig.source("sales"), sink);
    rig.operator().queueDelete("sales.dlq");
    rig.publish("sales", "a");
    Acker acker = sink.delivery(0).acker();
    assertThat(settled(acker.deadLetter(Rig.death("d"))).status()).isEqualTo(FAILED);
    assertThat(settled(acker.deadLetter(Rig.death("d"))).status()).isEqualTo(DONE);
    rig.take("sales.dlq");
  }

  @Test
  void fullDeadLetterQueueFailsAndHeals() throws Exception {
    rig.queue(
        "graves",
        Map.of("x-queue-type", "classic", "x-max-length", 1, "x-overflow", "reject-publish"));
    SourceSettings settings = new SourceSettings("tests", 10, "graves", Rig.LONGEST_DELAY, false);
    Subscription subscription = rig.up(rig.source("sales"), settings, sink);
    rig.publish("sales", "a", "b");
    assertThat(settled(sink.delivery(0).acker().deadLetter(Rig.death("d-0"))).isDone()).isTrue();
    Acker second = sink.delivery(1).acker();
    SettleResult refused = settled(second.deadLetter(Rig.death("d-1")));
    assertThat(refused.status()).isEqualTo(FAILED);
    assertThat(refused.reason()).contains("graves", "full");
    Rig.awaitHealth(subscription, Health.Status.DEGRADED, "graves");
    rig.take("graves");
    assertThat(settled(second.deadLetter(Rig.death("d-1"))).status()).isEqualTo(DONE);
    Rig.awaitUp(subscription);
  }

  /** A19: what exists is used as it is, whatever its arguments. */
  @Test
  @Tag("A19")
  void existingDeadLetterQueueWithOtherArgumentsIsUsedAsItIs() throws Exception {
    rig.queue("sales.dlq", Map.of("x-queue-type", "classic", "x-max-length", 100));
    rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    assertThat(settled(sink.delivery(0).acker().deadLetter(Rig.death("d"))).isDone()).isTrue();
    rig.take("sales.dlq");
    assertThat(rig.host.queue("sales.dlq").type()).isEqualTo("classic");
  }

  @Test
  void manyDeadLettersAtOnceAreEachAnswered() throws Exception {
    rig.up(rig.source("sales"), Rig.settings(200), sink);
    for (int i = 0; i < 200; i++) {
      rig.publish("sales", "m" + i);
    }
    sink.awaitCount(200);
    List<CompletionStage<SettleResult>> answers =
        IntStream.range(0, 200)
            .mapToObj(i -> sink.all().get(i).acker().deadLetter(Rig.death("d" + i)))
            .toList();
    answers.forEach(answer -> assertThat(settled(answer).status()).isEqualTo(DONE));
    Rig.awaiting().until(() -> rig.ready("sales.dlq") == 200);
  }

  @Test
  void deadLetterQueueThatIsASourceIsRefusedBeforeAnythingIsOpened() {
    SourceSettings settings = new SourceSettings("tests", 10, "sales", Rig.LONGEST_DELAY, false);
    assertThatThrownBy(() -> rig.source("sales").subscribe(settings, sink))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sales")
        .hasMessageContaining("name another one");
    assertThatThrownBy(() -> rig.source("a", "a.dlq").subscribe(Rig.settings(10), sink))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
