package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.rabbitmq.Rig.settled;
import static dev.acklast.spi.SettleResult.Status.DONE;
import static dev.acklast.spi.SettleResult.Status.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.servers.Servers;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The permissions that docs/adapters/rabbitmq.md names, each with a user who has no more. */
@Tag("broker")
class PermissionTest {
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

  private String user(String configure, String write, String read) {
    String name = Servers.uniqueName("user");
    return rig.host.createUser(name, "geheim", configure, write, read);
  }

  /** With a policy of the operator's on the queue, which is left alone. */
  @Test
  void topologyNoneNeedsNoConfigurePermission() throws Exception {
    rig.queue("sales.dlq", "classic");
    rig.operator().exchangeDeclare("operators-dlx", "fanout", true);
    rig.host.setPolicy("dlx", "^sales$", Map.of("dead-letter-exchange", "operators-dlx"), "queues");
    String uri = user("", "^amq\\.default$", "^sales$");
    Subscription subscription = rig.up(RabbitSource.queue(uri, "sales").topologyNone(), sink);
    rig.publish("sales", "a");
    assertThat(settled(sink.delivery(0).acker().deadLetter(Rig.death("d"))).status())
        .isEqualTo(DONE);
    assertThat(ack(sink.delivery(0).acker())).isEqualTo(DONE);
    assertThat(RabbitSource.queue(uri, "sales").topologyNone().capabilities().nativeRetry())
        .isFalse();
    rig.take("sales.dlq");
    assertThat(subscription.health()).isEqualTo(Health.up());
    assertThat(rig.exists("sales.acklast.retry.4s")).isFalse();
  }

  @Test
  void topologyNoneConsumesNothingWithoutADeadLetterQueue() throws Exception {
    Subscription subscription = rig.start(rig.source("sales").topologyNone(), sink);
    Rig.awaitHealth(
        subscription, Health.Status.DOWN, "dead-letter queue 'sales.dlq' is missing", "create it");
    rig.publish("sales", "a");
    rig.queue("sales.dlq", "quorum");
    sink.awaitCount(1);
    Rig.awaitUp(subscription);
  }

  @Test
  void topologyNoneWithAnExchangeNeedsToWriteToThatAlone() throws Exception {
    rig.operator().exchangeDeclare("sales.dlx", "fanout", true);
    rig.queue("graves", "classic");
    rig.operator().queueBind("graves", "sales.dlx", "");
    String uri = user("", "^sales\\.dlx$", "^sales$");
    RabbitSource source =
        RabbitSource.queue(uri, "sales").topologyNone().deadLetterExchange("sales.dlx", "");
    rig.up(source, sink);
    rig.publish("sales", "a");
    assertThat(settled(sink.delivery(0).acker().deadLetter(Rig.death("d"))).status())
        .isEqualTo(DONE);
    rig.take("graves");
  }

  @Test
  void defaultsNeedToConfigureDelayQueuesAndDeadLetterQueueOnly() throws Exception {
    String uri =
        user(
            "^sales\\.(dlq|acklast\\.retry\\..*)$",
            "^amq\\.default$",
            "^sales(\\.acklast\\.retry\\..*)?$");
    rig.up(RabbitSource.queue(uri, "sales"), sink);
    rig.publish("sales", "a");
    assertThat(settled(sink.delivery(0).acker().retry(Duration.ofMillis(250))).status())
        .isEqualTo(DONE);
    assertThat(settled(sink.delivery(1).acker().deadLetter(Rig.death("d"))).status())
        .isEqualTo(DONE);
    rig.take("sales.dlq");
  }

  /** Retries then wait in core's memory: never in a lesser queue. */
  @Test
  void withoutConfigurePermissionRetriesFailAndHealthSaysWhatToDo() throws Exception {
    rig.queue("sales.dlq", "quorum");
    String uri = user("", "^amq\\.default$", "^sales$");
    Subscription subscription = rig.start(RabbitSource.queue(uri, "sales"), sink);
    Rig.awaitHealth(
        subscription, Health.Status.DEGRADED, "sales.acklast.retry.4s", "topologyNone()");
    assertThat(sink.lastFacts().warnings()).anyMatch(w -> w.contains("topologyNone()"));
    rig.publish("sales", "a");
    SettleResult result = settled(sink.delivery(0).acker().retry(Duration.ofMillis(250)));
    assertThat(result.status()).isEqualTo(FAILED);
    assertThat(ack(sink.delivery(0).acker())).isEqualTo(DONE);
  }

  @Test
  void delayQueuesNeedToBeReadAsTheyDeadLetter() throws Exception {
    String uri = user("^sales\\.(dlq|acklast\\.retry\\..*)$", "^amq\\.default$", "^sales$");
    Subscription subscription = rig.start(RabbitSource.queue(uri, "sales"), sink);
    Rig.awaitHealth(subscription, Health.Status.DEGRADED, "sales.acklast.retry.4s", "read");
  }

  @Test
  void delayQueuesMadeByAnotherUserAreUsed() throws Exception {
    rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    settled(sink.delivery(0).acker().retry(Duration.ofMillis(250)));
    ack(sink.delivery(1).acker());
    RecordingSink limited = new RecordingSink();
    rig.endEmpty("sales");
    String uri = user("", "^amq\\.default$", "^sales$");
    rig.up(RabbitSource.queue(uri, "sales"), limited);
    rig.publish("sales", "b");
    assertThat(settled(limited.delivery(0).acker().retry(Duration.ofMillis(250))).status())
        .isEqualTo(DONE);
    assertThat(RecordingSink.text(limited.delivery(1))).isEqualTo("b");
  }

  @Test
  void queueThatMayNotBeReadSaysSo() throws Exception {
    rig.queue("sales.dlq", "quorum");
    String uri = user("", "^amq\\.default$", "");
    Subscription subscription = rig.start(RabbitSource.queue(uri, "sales").topologyNone(), sink);
    Rig.awaitHealth(subscription, Health.Status.DOWN, "permission to read");
    assertThat(subscription.health().toString()).doesNotContain("geheim");
  }

  @Test
  void deadLetterTargetThatMayNotBeWrittenFails() throws Exception {
    rig.queue("sales.dlq", "quorum");
    String uri = user("", "", "^sales$");
    rig.start(RabbitSource.queue(uri, "sales").topologyNone(), sink);
    rig.publish("sales", "a");
    SettleResult result = settled(sink.delivery(0).acker().deadLetter(Rig.death("d")));
    assertThat(result.status()).isEqualTo(FAILED);
    assertThat(result.reason()).contains("ACCESS_REFUSED");
    assertThat(sink.delivery(0).acker().isLive()).isTrue();
  }
}
