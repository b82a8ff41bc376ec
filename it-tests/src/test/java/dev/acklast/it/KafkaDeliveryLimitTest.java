package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.ConsumerBuilder;
import dev.acklast.IdempotentConsumer;
import dev.acklast.servers.Servers;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of a record when the share group would not deliver it another time. */
class KafkaDeliveryLimitTest {
  private static final int LIMIT = 5;

  @RegisterExtension private final Stage stage = new Stage();
  private final KafkaHarness broker = KafkaHarness.shareGroup();
  private final String topic = Servers.uniqueName("topic");
  private final String dead = topic + ".dlq";
  private final AtomicInteger runs = new AtomicInteger();

  @BeforeEach
  void createTopic() {
    broker.createQueue(topic);
    limit(LIMIT);
  }

  @AfterEach
  void close() {
    broker.close();
  }

  @Test
  void lastDeliveryIsDeadLetteredWithoutARun() {
    broker.publish(topic, List.of(Stage.order("worn")));
    spendDeliveries(LIMIT - 1);
    stage.start(consumer(3));
    Stage.await("its dead letter").until(() -> broker.deadLetters(dead).size() == 1);
    Stage.await("nothing left").until(() -> broker.left(topic) == 0);
    JsonNode death = Stage.death(broker.deadLetters(dead).get(0));
    assertThat(death.path("reason").asText()).isEqualTo("DELIVERY_LIMIT");
    assertThat(death.path("key").asText()).isEqualTo("worn");
    assertThat(runs).hasValue(0);
    assertThat(stage.database.effects()).isZero();
  }

  @Test
  void lastDeliveryOfWhatIsAppliedIsADuplicate() {
    stage.start(consumer(3)).close(); // creates the tables
    stage.database.execute("insert into acklast_claim(scope, key) values ('orders', 'applied')");
    broker.publish(topic, List.of(Stage.order("applied")));
    spendDeliveries(LIMIT - 1);
    stage.start(consumer(3));
    Stage.await("a duplicate").until(() -> stage.heard.all("duplicate") == 1);
    Stage.await("nothing left").until(() -> broker.left(topic) == 0);
    assertThat(broker.deadLetters(dead)).isEmpty();
    assertThat(runs).hasValue(0);
  }

  @Test
  void attemptsThatTheLimitLeavesNoRoomForAreRefusedUntilItDoes() {
    broker.publish(topic, List.of(Stage.order("waiting")));
    IdempotentConsumer consumer = stage.start(consumer(LIMIT - 1));
    stage.awaitDown(consumer, "lower max-attempts");
    assertThat(runs).hasValue(0);
    limit(LIMIT + 1);
    Stage.await("its effect").until(() -> stage.database.effects() == 1);
  }

  private ConsumerBuilder<JsonNode> consumer(int maxAttempts) {
    return stage
        .consumer()
        .source(broker.source(topic))
        .maxAttempts(maxAttempts)
        .deadLetterTo(dead)
        .apply(
            (order, tx) -> {
              runs.incrementAndGet();
              Stage.inserting().apply(order, tx);
            });
  }

  private void limit(int deliveries) {
    new KafkaAdmin(Servers.sharedKafka())
        .set(
            ConfigResource.Type.GROUP,
            topic,
            "share.delivery.count.limit",
            String.valueOf(deliveries));
  }

  /** Takes the record and gives it back, each of which the broker counts. */
  private void spendDeliveries(int count) {
    List<Delivery> spent = new CopyOnWriteArrayList<>();
    Sink spending =
        new Sink() {
          @Override
          public void opened(Facts facts) {
            // Any facts will do.
          }

          @Override
          public void deliver(Delivery delivery) {
            spent.add(delivery);
            if (spent.size() < count) {
              delivery.acker().release();
            }
          }
        };
    SourceSettings settings = new SourceSettings("spender", 1, null, Duration.ofMinutes(1), false);
    Subscription subscription = broker.source(topic).subscribe(settings, spending);
    subscription.start();
    Stage.await("deliveries").until(() -> spent.size() == count);
    subscription.stopIntake(); // or the next one would be spent too
    spent.get(count - 1).acker().release().toCompletableFuture().join();
    subscription.close(Duration.ofSeconds(5));
  }
}
