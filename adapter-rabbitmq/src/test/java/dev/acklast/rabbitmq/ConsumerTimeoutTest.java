package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.spi.SettleResult.Status.LATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.acklast.servers.RabbitOptions;
import dev.acklast.servers.RabbitServer;
import dev.acklast.servers.Servers;
import dev.acklast.spi.Health;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker whose delivery acknowledgement timeout is five seconds. */
@Tag("broker")
class ConsumerTimeoutTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static RabbitServer server;

  @BeforeAll
  static void startServer() {
    server = Servers.rabbit(RabbitOptions.defaults().withConsumerTimeout(TIMEOUT));
    assumeTrue(server.canRestart(), "the broker's timeout is not ours to set");
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  /** A01: the broker closes the channel alone; recovery of connections would not notice. */
  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  @Tag("A01")
  void channelClosedByTheAckTimeoutIsReplaced(String type) throws Exception {
    try (Rig rig = Rig.on(server)) {
      RecordingSink sink = new RecordingSink();
      sink.reacting(
          delivery -> {
            boolean held = RecordingSink.text(delivery).equals("slow") && sink.all().size() < 7;
            if (!held) {
              delivery.acker().ack();
            }
          });
      rig.queue("sales", type);
      Subscription subscription = rig.up(rig.source("sales").consumerTimeout(TIMEOUT), sink);
      assertThat(sink.lastFacts().lease()).isEqualTo(TIMEOUT);
      rig.publish("sales", "slow", "1", "2", "3", "4", "5");
      sink.awaitCount(6);
      Rig.awaitHealth(subscription, Health.Status.DOWN, "consumer_timeout", "'sales'");
      sink.awaitCount(7);
      assertThat(RecordingSink.text(sink.delivery(6))).isEqualTo("slow");
      assertThat(ack(sink.delivery(0).acker())).isEqualTo(LATE);
      Rig.awaitUp(subscription);
      rig.publish("sales", "6");
      sink.awaitCount(8);
      assertThat(RecordingSink.text(sink.delivery(7))).isEqualTo("6");
      assertThat(rig.passive("sales").getConsumerCount()).isEqualTo(1);
      rig.endEmpty("sales");
    }
  }
}
