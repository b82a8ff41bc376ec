package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.rabbitmq.Rig.settled;
import static dev.acklast.spi.SettleResult.Status.DONE;
import static dev.acklast.spi.SettleResult.Status.FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.acklast.servers.RabbitServer;
import dev.acklast.servers.Servers;
import dev.acklast.spi.Acker;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker of its own, stopped, killed, frozen and out of memory. */
@Tag("broker")
class BrokerFaultTest {
  private static RabbitServer server;
  private Rig rig;
  private final RecordingSink sink = new RecordingSink();

  @BeforeAll
  static void startServer() {
    server = Servers.rabbit();
    assumeTrue(server.canRestart(), "the broker is not ours to stop");
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @BeforeEach
  void setUp() throws Exception {
    rig = Rig.on(server);
  }

  @AfterEach
  void tearDown() throws Exception {
    rig.close();
  }

  /** A06, second half, and A21: the dead letter of a non-persistent message survives, too. */
  @Test
  @Tag("A06")
  @Tag("A21")
  void restartOfTheBrokerLosesNothing() throws Exception {
    rig.queue("sales", "quorum");
    Subscription subscription = rig.up(rig.source("sales"), sink);
    rig.publish("sales", new BasicProperties.Builder().deliveryMode(1).build(), "poison");
    rig.publish("sales", "acked", "retried", "held");
    sink.awaitCount(4);
    assertThat(settled(sink.delivery(0).acker().deadLetter(Rig.death("d"))).isDone()).isTrue();
    assertThat(ack(sink.delivery(0).acker())).isEqualTo(DONE);
    assertThat(ack(sink.delivery(1).acker())).isEqualTo(DONE);
    assertThat(settled(sink.delivery(2).acker().retry(Duration.ofSeconds(4))).isDone()).isTrue();
    awaitDurable();
    server.stop();
    Rig.awaitHealth(subscription, Health.Status.DOWN, "does not answer");
    sink.acking();
    server.start();
    rig.reconnect();
    Rig.awaitUp(subscription);
    Rig.awaiting().until(() -> sink.bodies().stream().skip(4).distinct().count() == 2);
    assertThat(sink.bodies().stream().skip(4)).containsExactlyInAnyOrder("held", "retried");
    rig.endEmpty("sales");
    assertThat(rig.take("sales.dlq").getBody()).asString().isEqualTo("poison");
  }

  /** A young quorum queue may come back empty: its log is on disk a moment later only. */
  private static void awaitDurable() {
    Instant start = Instant.now();
    await().until(() -> Instant.now().isAfter(start.plusSeconds(2)));
  }

  /** A24: the queue is gone with the broker, and comes back later than the connection. */
  @Test
  @Tag("A24")
  void connectionThatIsBackWithoutItsQueueIsNotUp() throws Exception {
    rig.operator().queueDeclare("sales", false, false, false, null);
    Subscription subscription = rig.up(rig.source("sales"), sink.acking());
    server.restart();
    rig.reconnect();
    Rig.awaitHealth(subscription, Health.Status.DOWN, "queue 'sales' is missing");
    rig.operator().queueDeclare("sales", false, false, false, null);
    rig.publish("sales", "1", "2", "3", "4", "5");
    sink.awaitCount(5);
    Rig.awaitUp(subscription);
  }

  /** A07: the alarm stops publishers; acks go on, and nothing waits for ever. */
  @Test
  @Tag("A07")
  void memoryAlarmStopsDeadLettersButNotAcksNorStop() throws Exception {
    rig.queue("sales", "classic");
    Subscription subscription = rig.up(rig.source("sales"), Rig.settings(5), sink);
    rig.publish("sales", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
    sink.awaitCount(5);
    Acker first = sink.delivery(0).acker();
    server.memoryAlarm(true);
    try {
      Instant start = Instant.now();
      SettleResult result = settled(first.deadLetter(Rig.death("d")));
      assertThat(result.status()).isEqualTo(FAILED);
      assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(6));
      Rig.awaitHealth(subscription, Health.Status.DEGRADED, "takes no publishes", "memory");
      assertThat(settled(first.deadLetter(Rig.death("d"))).status()).isEqualTo(FAILED);
      sink.acking();
      for (int i = 1; i < 5; i++) {
        assertThat(ack(sink.delivery(i).acker())).isEqualTo(DONE);
      }
      sink.awaitCount(10); // the broker has heard those acks
    } finally {
      server.memoryAlarm(false);
    }
    Rig.awaiting().until(() -> settled(first.deadLetter(Rig.death("d"))).isDone());
    assertThat(ack(first)).isEqualTo(DONE);
    Rig.awaitUp(subscription);
    rig.take("sales.dlq");
    rig.endEmpty("sales");
  }

  @Test
  @Tag("A07")
  void closeIsBoundedDuringAnAlarmWithBigCopiesStuckInTheSocket() throws Exception {
    rig.queue("sales", "classic");
    Subscription subscription = rig.up(rig.source("sales"), Rig.settings(20), sink);
    for (int i = 0; i < 20; i++) {
      rig.operator().basicPublish("", "sales", null, new byte[1 << 20]);
    }
    sink.awaitCount(20);
    server.memoryAlarm(true);
    try {
      sink.all().forEach(delivery -> delivery.acker().deadLetter(Rig.death("d")));
      assertClosesWithin(subscription, Duration.ofSeconds(4));
    } finally {
      server.memoryAlarm(false);
    }
    Rig.awaiting().until(() -> rig.ready("sales") == 20);
  }

  /** A26: the broker answers nothing, and its sockets stay open. */
  @Test
  @Tag("A26")
  void stopAndCloseAreBoundedWhileTheBrokerIsFrozen() throws Exception {
    rig.queue("sales", "quorum");
    Subscription subscription = rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a", "b");
    sink.awaitCount(2);
    assertThat(settled(sink.delivery(0).acker().retry(Duration.ofMillis(125))).isDone()).isTrue();
    sink.awaitCount(3);
    server.freeze();
    try {
      CompletionStage<SettleResult> retry = sink.delivery(1).acker().retry(Duration.ofMillis(125));
      Instant start = Instant.now();
      subscription.stopIntake();
      assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(6));
      assertClosesWithin(subscription, Duration.ofSeconds(3));
      assertThat(settled(retry).status()).isEqualTo(FAILED);
    } finally {
      server.thaw();
    }
    rig.reconnect();
    Rig.awaiting().until(() -> rig.ready("sales") >= 2);
  }

  /** A26: stop, called from inside a delivery. */
  @Test
  @Tag("A26")
  void closeFromInsideADeliveryReturns() throws Exception {
    rig.queue("sales", "classic");
    Subscription subscription = rig.up(rig.source("sales"), Rig.settings(1), sink);
    sink.reacting(
        delivery -> {
          subscription.stopIntake();
          subscription.close(Duration.ofSeconds(2));
        });
    rig.publish("sales", "a", "b");
    Rig.awaiting().untilAsserted(() -> assertThat(threads()).isEmpty());
    assertThat(sink.bodies()).containsExactly("a");
    Rig.awaiting().until(() -> rig.ready("sales") == 2);
  }

  @Test
  void connectionThatHangsIsNoticedByHeartbeatsAndReplaced() throws Exception {
    rig.queue("sales", "quorum");
    Subscription subscription = rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    sink.awaitCount(1);
    server.freeze();
    try {
      Rig.awaitHealth(subscription, Health.Status.DOWN, "127.0.0.1");
      assertThat(sink.delivery(0).acker().isLive()).isFalse();
    } finally {
      server.thaw();
    }
    rig.reconnect();
    sink.awaitCount(2);
    assertThat(ack(sink.delivery(1).acker())).isEqualTo(DONE);
    Rig.awaitUp(subscription);
    rig.endEmpty("sales");
  }

  @Test
  void startsWithTheBrokerDownAndConsumesWhenItIsUp() throws Exception {
    rig.queue("sales", "quorum");
    rig.publish("sales", "a");
    awaitDurable();
    server.kill();
    Subscription subscription = rig.start(rig.source("sales"), sink);
    Rig.awaitHealth(subscription, Health.Status.DOWN, "does not answer");
    server.start();
    rig.reconnect();
    sink.awaitCount(1);
    Rig.awaitUp(subscription);
  }

  /** Copies that the broker has confirmed are on disk when it is killed. */
  @Test
  void delayedRetriesSurviveAKillInTheMiddle() throws Exception {
    rig.queue("sales", "classic");
    rig.up(rig.source("sales"), Rig.settings(300), sink);
    for (int i = 0; i < 300; i++) {
      rig.publish("sales", "m" + i);
    }
    sink.awaitCount(300);
    settled(sink.delivery(0).acker().retry(Duration.ofSeconds(4)));
    awaitDurable();
    var answers =
        sink.all().stream().skip(1).map(d -> d.acker().retry(Duration.ofSeconds(4))).toList();
    Set<SettleResult.Status> statuses =
        answers.stream().map(answer -> settled(answer).status()).collect(Collectors.toSet());
    assertThat(statuses).containsExactly(DONE);
    server.kill();
    sink.acking();
    server.start();
    rig.reconnect();
    await()
        .atMost(Duration.ofSeconds(40))
        .until(() -> sink.bodies().stream().skip(300).distinct().count() == 300);
  }

  private static void assertClosesWithin(Subscription subscription, Duration deadline) {
    Instant start = Instant.now();
    subscription.close(deadline);
    assertThat(Duration.between(start, Instant.now())).isLessThan(deadline.plusSeconds(1));
    Rig.awaiting().untilAsserted(() -> assertThat(threads()).isEmpty());
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("acklast-rabbitmq-"))
        .collect(Collectors.toSet());
  }
}
