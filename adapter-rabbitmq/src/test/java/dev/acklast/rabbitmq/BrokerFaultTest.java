package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.rabbitmq.Rig.settled;
import static dev.acklast.spi.SettleResult.Status.DONE;
import static dev.acklast.spi.SettleResult.Status.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Acker;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker that is frozen and out of memory. */
class BrokerFaultTest extends OwnBroker {
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
