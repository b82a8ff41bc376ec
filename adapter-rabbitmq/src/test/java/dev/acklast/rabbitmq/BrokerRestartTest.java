package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.rabbitmq.Rig.settled;
import static dev.acklast.spi.SettleResult.Status.DONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A broker that is stopped and killed. */
class BrokerRestartTest extends OwnBroker {
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
}
