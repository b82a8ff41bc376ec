package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.rabbitmq.Rig.settled;
import static dev.acklast.spi.SettleResult.Status.DONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.spi.Health;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What breaks around a subscription, and heals by itself, on a real broker that stays up. */
@Tag("broker")
class RecoveryTest {
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

  /** A05: one queue of two vanishes. */
  @Test
  @Tag("A05")
  void deletedQueueStopsNoOtherAndIsConsumedAgainWhenItIsBack() throws Exception {
    rig.queue("q1", "classic");
    rig.queue("q2", "quorum");
    Subscription subscription = rig.up(rig.source("q1", "q2"), sink.acking());
    rig.operator().queueDelete("q1");
    Rig.awaitHealth(subscription, Health.Status.DEGRADED, "q1");
    assertThat(String.join(" ", subscription.health().reasons())).doesNotContain("q2");
    rig.publish("q2", "b1", "b2", "b3");
    sink.awaitCount(3);
    rig.queue("q1", "classic");
    rig.publish("q1", "a1", "a2", "a3");
    sink.awaitCount(6);
    assertThat(sink.bodies()).containsExactly("b1", "b2", "b3", "a1", "a2", "a3");
    Rig.awaitUp(subscription);
    rig.endEmpty("q1");
  }

  /** A06: neither a hot loop nor a flood of log lines. */
  @Test
  @Tag("A06")
  void missingQueueIsLookedForWithGrowingPauses() throws Exception {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    Logger logger = (Logger) LoggerFactory.getLogger("dev.acklast");
    logger.addAppender(log);
    try {
      rig.queue("sales", "classic");
      Subscription subscription = rig.up(rig.source("sales"), sink.acking());
      rig.operator().queueDelete("sales");
      Rig.awaitHealth(subscription, Health.Status.DOWN, "queue 'sales' is missing", "create it");
      await()
          .during(Duration.ofSeconds(8))
          .atMost(Duration.ofSeconds(9))
          .until(() -> subscription.health().status() == Health.Status.DOWN);
      List<ILoggingEvent> lines =
          log.list.stream().filter(event -> event.getLevel() == Level.WARN).toList();
      assertThat(lines).hasSizeBetween(3, 9);
      assertThat(lines.stream().filter(event -> event.getThrowableProxy() != null)).hasSize(1);
      rig.queue("sales", "classic");
      rig.publish("sales", "a");
      sink.awaitCount(1);
      Rig.awaitUp(subscription);
    } finally {
      logger.detachAppender(log);
    }
  }

  @Test
  void missingQueueAtStartIsConsumedOnceItIsThere() throws Exception {
    Subscription subscription = rig.start(rig.source("sales"), sink);
    Rig.awaitHealth(subscription, Health.Status.DOWN, "queue 'sales' is missing", "create it");
    rig.queue("sales", "quorum");
    rig.publish("sales", "a");
    sink.awaitCount(1);
    Rig.awaitUp(subscription);
  }

  @Test
  void cutConnectionsComeBackForConsumingAndPublishing() throws Exception {
    rig.queue("sales", "quorum");
    Subscription subscription = rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    assertThat(settled(sink.delivery(0).acker().deadLetter(Rig.death("d"))).isDone()).isTrue();
    rig.cutConnections(sink.delivery(0).acker());
    sink.awaitCount(2);
    Rig.awaitUp(subscription);
    Rig.awaiting()
        .until(() -> settled(sink.delivery(1).acker().deadLetter(Rig.death("d"))).isDone());
    assertThat(ack(sink.delivery(1).acker())).isEqualTo(DONE);
    assertThat(sink.facts()).hasSizeGreaterThanOrEqualTo(2);
    rig.endEmpty("sales");
  }

  @Test
  void wrongPasswordSaysSoWithoutNamingIt() throws Exception {
    ConnectionFactory factory = rig.factory();
    factory.setPassword("s3cret-and-wrong");
    Subscription subscription = rig.start(RabbitSource.queue(factory, "sales"), sink);
    Rig.awaitHealth(subscription, Health.Status.DOWN, "refused user name or password");
    assertThat(subscription.health().toString()).doesNotContain("s3cret");
  }

  @Test
  void unknownVirtualHostSaysSo() throws Exception {
    ConnectionFactory factory = rig.factory();
    factory.setVirtualHost("nowhere");
    Subscription subscription = rig.start(RabbitSource.queue(factory, "sales"), sink);
    Rig.awaitHealth(subscription, Health.Status.DOWN, "virtual host 'nowhere'", "create it");
  }

  @Test
  void unreachableBrokerSaysSo() throws Exception {
    ConnectionFactory factory = rig.factory();
    factory.setPort(1);
    Subscription subscription = rig.start(RabbitSource.queue(factory, "sales"), sink);
    Rig.awaitHealth(subscription, Health.Status.DOWN, "127.0.0.1:1 does not answer");
    factory.setHost("no-such-host.invalid");
    Subscription other = rig.start(RabbitSource.queue(factory, "sales"), sink);
    Rig.awaitHealth(other, Health.Status.DOWN, "no-such-host.invalid:1 is not known");
  }
}
