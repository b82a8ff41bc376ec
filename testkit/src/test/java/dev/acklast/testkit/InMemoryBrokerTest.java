package dev.acklast.testkit;

import static dev.acklast.testkit.Inbox.message;
import static dev.acklast.testkit.Inbox.result;
import static dev.acklast.testkit.Inbox.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Health;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult.Status;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InMemoryBrokerTest {
  private final InMemoryBroker broker = new InMemoryBroker();

  @BeforeEach
  void createQueue() {
    broker.createQueue("q");
  }

  @Test
  void deliversInOrderAndNoMoreThanPrefetch() {
    for (int i = 0; i < 5; i++) {
      broker.publish("q", message("m" + i));
    }
    try (Inbox inbox = Inbox.open(broker.source("q"), 2)) {
      assertThat(text(inbox.get(1))).isEqualTo("m1");
      assertThat(broker.unsettled("q")).isEqualTo(2);
      assertThat(inbox.get(0).envelope().hint()).isEqualTo(RedeliveryHint.FIRST);
      result(inbox.get(0).acker().ack());
      assertThat(text(inbox.get(2))).isEqualTo("m2");
      assertThat(broker.unsettled("q")).isEqualTo(2);
      assertThat(broker.ready("q")).isEqualTo(2);
    }
    assertThat(broker.unsettled("q")).isZero();
    assertThat(broker.ready("q")).isEqualTo(4);
  }

  @Test
  void releasedMessageStandsWhereItStoodAndIsSuspect() {
    broker.publish("q", message("m0"));
    broker.publish("q", message("m1"));
    try (Inbox inbox = Inbox.open(broker.source("q"), 1)) {
      result(inbox.get(0).acker().release());
      assertThat(text(inbox.get(1))).isEqualTo("m0");
      assertThat(inbox.get(1).envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
    }
  }

  @Test
  void retriedMessageComesAfterItsDelayAndIsMarked() {
    broker.publish("q", message("m0"));
    try (Inbox inbox = Inbox.open(broker.source("q"), 5)) {
      Delivery first = inbox.get(0);
      long before = System.nanoTime();
      assertThat(result(first.acker().retry(Duration.ofMillis(150))).isDone()).isTrue();
      assertThat(broker.delayed("q")).isEqualTo(1);
      Delivery second = inbox.get(1);
      assertThat(System.nanoTime() - before).isGreaterThan(Duration.ofMillis(150).toNanos());
      assertThat(second.envelope().hint()).isEqualTo(RedeliveryHint.RETRIED);
      assertThat(result(first.acker().ack()).status()).isEqualTo(Status.LATE);
      assertThat(result(second.acker().ack()).isDone()).isTrue();
    }
  }

  @Test
  void delayedMessageOutlastsTheDeletionOfItsQueue() {
    broker.publish("q", message("m0"));
    try (Inbox inbox = Inbox.open(broker.source("q"), 5)) {
      result(inbox.get(0).acker().retry(Duration.ofMillis(50)));
      broker.fault(QueueFault.FULL, "q");
      await().during(Duration.ofMillis(100)).until(() -> broker.delayed("q") == 1);
      broker.deleteQueue("q");
      await().until(() -> inbox.subscription.health().status() == Health.Status.DOWN);
      assertThat(broker.delayed("q")).isEqualTo(1);
      broker.createQueue("q");
      assertThat(text(inbox.get(1))).isEqualTo("m0");
    }
  }

  @Test
  void restartMakesAckersLateAndMessagesSuspect() {
    broker.publish("q", message("m0"));
    try (Inbox inbox = Inbox.open(broker.source("q"), 5)) {
      Delivery old = inbox.get(0);
      broker.restart();
      assertThat(old.acker().isLive()).isFalse();
      Delivery again = inbox.get(1);
      assertThat(again.envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
      assertThat(result(old.acker().ack()).status()).isEqualTo(Status.LATE);
      assertThat(broker.unsettled("q")).isEqualTo(1);
      assertThat(inbox.openings()).isEqualTo(2);
    }
  }

  @Test
  void expiredLeaseMakesTheAckerLate() {
    broker.publish("q", message("m0"));
    var options = InMemoryOptions.standard().withLease(Duration.ofSeconds(1));
    try (Inbox inbox = Inbox.open(broker.source(options, "q"), 5)) {
      Delivery old = inbox.get(0);
      Delivery again = inbox.get(1);
      assertThat(again.envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
      assertThat(result(old.acker().ack()).status()).isEqualTo(Status.LATE);
      assertThat(result(again.acker().ack()).isDone()).isTrue();
      await().until(() -> broker.ready("q") + broker.unsettled("q") == 0);
    }
  }

  @Test
  void keyIsWithOneConsumerAtATimeWhereOrdered() {
    for (int i = 0; i < 3; i++) {
      broker.publish("q", Envelope.of("?", new byte[] {(byte) i}).orderingKey("k").build());
    }
    broker.publish("q", Envelope.of("?", new byte[] {9}).orderingKey("other").build());
    var source = broker.source(InMemoryOptions.standard().inOrder(), "q");
    try (Inbox one = Inbox.open(source, 1)) {
      one.get(0);
      try (Inbox two = Inbox.open(source, 3)) {
        assertThat(two.get(0).envelope().body()).containsExactly(9);
        assertThat(broker.ready("q")).isEqualTo(2);
        assertThat(two.size()).isEqualTo(1);
        result(one.get(0).acker().ack());
        await().until(() -> broker.ready("q") + one.size() + two.size() == 4);
      }
    }
  }

  @Test
  void deadLetterKeepsTheMessageAndTheSourceUntilAck() {
    broker.publish("q", Envelope.of("?", new byte[] {1, 2}).headers(Map.of("a", 7L)).build());
    try (Inbox inbox = Inbox.open(broker.source("q"), 5)) {
      Delivery delivery = inbox.get(0);
      assertThat(result(delivery.acker().deadLetter(Inbox.death("d1"))).isDone()).isTrue();
      assertThat(broker.unsettled("q")).isEqualTo(1);
      Envelope dead = broker.messages("q.dlq").get(0);
      assertThat(dead.body()).containsExactly(1, 2);
      assertThat(dead.headers()).containsEntry("a", 7L).containsKey(DeathReport.HEADER);
      result(delivery.acker().ack());
      assertThat(broker.unsettled("q")).isZero();
    }
  }

  @Test
  void faultyDeadLetterQueueLosesNothing() {
    broker.publish("q", message("m0"));
    try (Inbox inbox = Inbox.open(broker.source("q"), 5)) {
      Delivery delivery = inbox.get(0);
      for (QueueFault fault :
          new QueueFault[] {QueueFault.FULL, QueueFault.REFUSING, QueueFault.UNREACHABLE}) {
        broker.fault(fault, "q.dlq");
        assertThat(result(delivery.acker().deadLetter(Inbox.death("d1"))).status())
            .isEqualTo(Status.FAILED);
      }
      broker.deleteQueue("q.dlq");
      assertThat(result(delivery.acker().deadLetter(Inbox.death("d1"))).status())
          .isEqualTo(Status.FAILED);
      assertThat(broker.unsettled("q")).isEqualTo(1);
      broker.createQueue("q.dlq");
      assertThat(result(delivery.acker().deadLetter(Inbox.death("d1"))).isDone()).isTrue();
    }
  }

  @Test
  void pausedAndStoppedSubscriptionsGetNothing() {
    try (Inbox inbox = Inbox.open(broker.source("q"), 5)) {
      await().until(() -> inbox.subscription.health().status() == Health.Status.UP);
      inbox.subscription.pause();
      broker.publish("q", message("m0"));
      assertThat(broker.ready("q")).isEqualTo(1);
      inbox.subscription.resume();
      result(inbox.get(0).acker().ack());
      inbox.subscription.stopIntake();
      broker.publish("q", message("m1"));
      assertThat(broker.ready("q")).isEqualTo(1);
      assertThat(inbox.size()).isEqualTo(1);
    }
  }

  @Test
  void frozenBrokerAnswersWhenItThaws() {
    broker.publish("q", message("m0"));
    try (Inbox inbox = Inbox.open(broker.source("q"), 5)) {
      Delivery delivery = inbox.get(0);
      broker.freeze();
      var answer = delivery.acker().ack().toCompletableFuture();
      assertThat(answer).isNotDone();
      broker.thaw();
      assertThat(result(answer).isDone()).isTrue();
    }
  }
}
