package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.rabbitmq.Rig.settled;
import static dev.acklast.spi.SettleResult.Status.DONE;
import static dev.acklast.spi.SettleResult.Status.LATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.LongStringHelper;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Health;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starting, pausing, stopping, and what an envelope holds, on a real broker. */
@Tag("broker")
class FlowTest {
  private Rig rig;
  private final RecordingSink sink = new RecordingSink();

  @BeforeEach
  void setUp() throws Exception {
    rig = Rig.shared();
  }

  @AfterEach
  void tearDown() throws Exception {
    rig.close();
  }

  /** A18: the client's LongString must not reach a key, wherever it stands. */
  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  @Tag("A18")
  void headersArriveInPlainTypes(String type) throws Exception {
    rig.queue("sales", type);
    rig.up(rig.source("sales"), sink);
    LongString text = LongStringHelper.asLongString("42");
    Map<String, Object> headers =
        Map.of(
            "text",
            "42",
            "number",
            42,
            "long",
            42L,
            "flag",
            true,
            "list",
            List.of(text, Map.of("deep", text)),
            "table",
            Map.of("ünï", "cödé"),
            "date",
            Date.from(Instant.ofEpochMilli(1_700_000_000_000L)),
            "bytes",
            new byte[] {0, (byte) 0xFF},
            "empty",
            "");
    BasicProperties properties =
        new BasicProperties.Builder()
            .headers(headers)
            .messageId("id")
            .contentType("a/b")
            .contentEncoding("gzip")
            .timestamp(Date.from(Instant.ofEpochMilli(1_700_000_000_000L)))
            .build();
    rig.publish("sales", properties, "");
    Envelope got = sink.delivery(0).envelope();
    assertThat(got.header("text")).isEqualTo("42");
    assertThat(got.header("number")).isEqualTo("42");
    assertThat(got.header("list")).isNull();
    assertThat(got.header("missing")).isNull();
    assertThat(got.headers())
        .usingRecursiveComparison()
        .isEqualTo(
            Map.of(
                "text",
                "42",
                "number",
                42,
                "long",
                42L,
                "flag",
                true,
                "list",
                List.of("42", Map.of("deep", "42")),
                "table",
                Map.of("ünï", "cödé"),
                "date",
                Date.from(Instant.ofEpochMilli(1_700_000_000_000L)),
                "bytes",
                new byte[] {0, (byte) 0xFF},
                "empty",
                ""));
    assertThat(got.body()).isEmpty();
    assertThat(got.source()).isEqualTo("sales");
    assertThat(got.position()).isEqualTo("sales#1");
    assertThat(got.messageId()).isEqualTo("id");
    assertThat(got.contentType()).isEqualTo("a/b");
    assertThat(got.contentEncoding()).isEqualTo("gzip");
    assertThat(got.timestamp()).isEqualTo(Instant.ofEpochMilli(1_700_000_000_000L));
    assertThat(got.recordKey()).isNull();
    assertThat(got.orderingKey()).isNull();
  }

  @Test
  void bodyOfOneMebibyteArrivesAsSent() throws Exception {
    rig.queue("sales", "quorum");
    rig.up(rig.source("sales"), sink);
    byte[] body = new byte[1 << 20];
    new java.util.Random(7).nextBytes(body);
    rig.operator().basicPublish("", "sales", null, body);
    assertThat(sink.delivery(0).envelope().body()).isEqualTo(body);
    assertThat(settled(sink.delivery(0).acker().retry(Duration.ofMillis(125))).isDone()).isTrue();
    assertThat(sink.delivery(1).envelope().body()).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  void pauseLeavesMessagesOnTheBrokerAndKeepsThePrefetchAfterwards(String type) throws Exception {
    rig.queue("sales", type);
    Subscription subscription = rig.up(rig.source("sales").exclusive(), Rig.settings(100), sink);
    for (int i = 0; i < 90; i++) {
      rig.publish("sales", "m");
    }
    sink.awaitCount(90);
    subscription.pause();
    int probes = awaitStandstill();
    int seen = sink.all().size();
    assertThat(subscription.health()).isEqualTo(Health.up());
    assertThat(ack(sink.delivery(0).acker())).isEqualTo(DONE); // what was handed over stays ours
    for (int i = 0; i < 120; i++) {
      rig.publish("sales", "m");
    }
    assertThat(sink.all()).hasSize(seen);
    subscription.resume();
    sink.awaitCount(101);
    // The broker sends a hundred more now, beside those that are still unsettled.
    await().during(Duration.ofMillis(300)).until(() -> sink.all().size() == 101);
    sink.reacting(delivery -> delivery.acker().ack());
    sink.all().forEach(delivery -> delivery.acker().ack());
    sink.awaitCount(210 + probes);
    rig.endEmpty("sales");
  }

  /** Publishes until what is published stays where it is; returns how many. */
  private int awaitStandstill() {
    AtomicInteger probes = new AtomicInteger();
    await()
        .during(Duration.ofMillis(300))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              rig.publish("sales", "m");
              probes.incrementAndGet();
              return rig.ready("sales") > 0;
            });
    return probes.get();
  }

  @Test
  void pauseHoldsAcrossReconnects() throws Exception {
    rig.queue("sales", "quorum");
    Subscription subscription = rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    sink.awaitCount(1);
    subscription.pause();
    rig.cutConnections(sink.delivery(0).acker());
    Rig.awaitUp(subscription);
    assertThat(rig.passive("sales").getConsumerCount()).isZero();
    subscription.resume();
    assertThat(RecordingSink.text(sink.delivery(1))).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  void stopIntakeGivesBackWhatWasNotHandedOverAndSettlingStillWorks(String type) throws Exception {
    rig.queue("sales", type);
    Subscription subscription = rig.up(rig.source("sales"), Rig.settings(5), sink);
    for (int i = 0; i < 20; i++) {
      rig.publish("sales", "m" + i);
    }
    sink.awaitCount(5);
    subscription.stopIntake();
    int seen = sink.all().size();
    rig.publish("sales", "late");
    Rig.awaiting().until(() -> rig.ready("sales") == 16);
    assertThat(settled(sink.delivery(0).acker().ack()).status()).isEqualTo(DONE);
    assertThat(settled(sink.delivery(1).acker().retry(Duration.ofMillis(125))).status())
        .isEqualTo(DONE);
    Rig.awaiting().until(() -> rig.ready("sales") == 17);
    assertThat(sink.all()).hasSize(seen);
    subscription.close(Duration.ofSeconds(3));
    Rig.awaiting().until(() -> rig.ready("sales") == 20);
    assertThat(ack(sink.delivery(2).acker())).isEqualTo(LATE);
    assertThat(subscription.health().status()).isEqualTo(Health.Status.DOWN);
  }

  @Test
  void closeLetsRetriesUnderWayFinish() throws Exception {
    rig.queue("sales", "quorum");
    Subscription subscription = rig.up(rig.source("sales"), Rig.settings(100), sink);
    for (int i = 0; i < 100; i++) {
      rig.publish("sales", "m" + i);
    }
    sink.awaitCount(100);
    var answers = sink.all().stream().map(d -> d.acker().retry(Duration.ofSeconds(4))).toList();
    subscription.close(Duration.ofSeconds(10));
    answers.forEach(answer -> assertThat(settled(answer).status()).isEqualTo(DONE));
    assertThat(rig.ready("sales")).isZero();
    Rig.awaiting().until(() -> rig.ready("sales") == 100);
  }

  @Test
  void severalQueuesShareThePrefetchAndDoNotStarveEachOther() throws Exception {
    rig.queue("a", "classic");
    rig.queue("b", "quorum");
    for (int i = 0; i < 10; i++) {
      rig.publish("a", "a" + i);
      rig.publish("b", "b" + i);
    }
    rig.up(rig.source("a", "b"), Rig.settings(4), sink);
    sink.awaitCount(4);
    Rig.awaiting().until(() -> rig.ready("a") == 8 && rig.ready("b") == 8);
    assertThat(sink.all().stream().map(d -> d.envelope().source()))
        .containsExactlyInAnyOrder("a", "a", "b", "b");
    assertThatThrownBy(() -> rig.source("a", "b").subscribe(Rig.settings(1), sink))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 queues");
  }

  @Test
  void exclusiveConsumerIsTheOnlyOneUntilItGoes() throws Exception {
    rig.queue("sales", "classic");
    RecordingSink second = new RecordingSink();
    SourceSettings ordered = new SourceSettings("tests", 10, null, Rig.LONGEST_DELAY, true);
    Subscription first = rig.up(rig.source("sales").exclusive(), ordered, sink);
    Subscription standby = rig.start(rig.source("sales").exclusive(), ordered, second);
    Rig.awaitHealth(standby, Health.Status.DOWN, "exclusive", "waits");
    rig.publish("sales", "a", "b");
    sink.awaitCount(2);
    assertThat(sink.all().get(0).envelope().orderingKey()).isEqualTo("sales");
    assertThat(rig.exists("sales.acklast.retry.4s")).isFalse();
    first.close(Duration.ofSeconds(3));
    second.awaitCount(2);
    assertThat(second.bodies()).containsExactly("a", "b");
    Rig.awaitUp(standby);
  }

  @Test
  void singleActiveConsumersTakeOver() throws Exception {
    rig.queue("sales", Map.of("x-queue-type", "quorum", "x-single-active-consumer", true));
    RecordingSink second = new RecordingSink();
    Subscription first = rig.up(rig.source("sales").singleActiveConsumer(), sink);
    rig.up(rig.source("sales").singleActiveConsumer(), second);
    rig.publish("sales", "a", "b");
    sink.awaitCount(2);
    assertThat(second.all()).isEmpty();
    first.close(Duration.ofSeconds(3));
    second.awaitCount(2);
  }

  @Test
  void orderIsRefusedForCompetingConsumers() {
    SourceSettings ordered = new SourceSettings("tests", 10, null, Rig.LONGEST_DELAY, true);
    assertThatThrownBy(() -> rig.source("sales").subscribe(ordered, sink))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("singleActiveConsumer()");
  }

  @Test
  void refusalByCoreIsShownAndTriedAgain() throws Exception {
    rig.queue("sales", "classic");
    rig.publish("sales", "a");
    sink.refuse("the delivery limit is too low: raise it");
    Subscription subscription = rig.start(rig.source("sales"), sink);
    Rig.awaitHealth(subscription, Health.Status.DOWN, "delivery limit is too low");
    assertThat(sink.all()).isEmpty();
    sink.refuse(null);
    sink.awaitCount(1);
    assertThat(sink.lastFacts().lease()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void twentyStartsAndStopsLeaveNoThreadAndNoConnection() throws Exception {
    rig.queue("sales", "classic");
    for (int i = 0; i < 20; i++) {
      Subscription subscription = rig.up(rig.source("sales"), sink);
      rig.publish("sales", "m" + i);
      settled(sink.delivery(2 * i).acker().retry(Duration.ofMillis(125)));
      ack(sink.delivery(2 * i + 1).acker());
      subscription.close(Duration.ofSeconds(5));
      subscription.close(Duration.ofSeconds(5));
    }
    Rig.awaiting().untilAsserted(() -> assertThat(threads()).isEmpty());
    assertThat(rig.passive("sales").getConsumerCount()).isZero();
  }

  @Test
  void everyThreadBearsTheConsumersNameAndIsDaemon() throws Exception {
    rig.queue("sales", "classic");
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    settled(sink.delivery(0).acker().deadLetter(Rig.death("d")));
    List<Thread> added = new ArrayList<>(Thread.getAllStackTraces().keySet());
    added.removeAll(before);
    added.removeIf(thread -> thread.getName().startsWith("awaitility"));
    assertThat(added)
        .isNotEmpty()
        .allSatisfy(
            thread -> {
              assertThat(thread.getName()).startsWith("acklast-rabbitmq-tests-");
              assertThat(thread.isDaemon()).isTrue();
            });
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("acklast-rabbitmq-"))
        .collect(Collectors.toSet());
  }
}
