package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.Key;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Health;
import dev.acklast.testkit.InMemoryOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages of one ordering key run one after another, whatever happens to them. */
class OrderTest {
  @RegisterExtension private final Stage stage = new Stage();
  private final Map<String, Integer> runs = new ConcurrentHashMap<>();
  private final List<String> order = new CopyOnWriteArrayList<>();

  @Test
  @Tag("C16")
  void orderWithinAKeyIsKeptAcrossRetriesWhileOtherKeysPass() {
    stage.start(failingAt("a-0", 2, Duration.ofMillis(500)));
    publish("a", 20);
    publish("b", 20);
    stage.awaitEffects(40);
    stage.awaitEmptySource();

    assertThat(idsOf("a")).isEqualTo(expected("a", 20));
    assertThat(idsOf("b")).isEqualTo(expected("b", 20));
    assertThat(runs.get("a-0")).isEqualTo(3);
    assertThat(order.indexOf("b-19"))
        .as("the other key does not wait for the failing one")
        .isLessThan(order.indexOf("a-0"));
  }

  @Test
  @Tag("C16")
  void deadLetterLetsTheNextOfItsKeyPassInOrder() {
    stage.start(failingAt("a-1", 99, Duration.ofMillis(100)));
    publish("a", 10);
    stage.awaitEffects(9);
    stage.awaitDead(1);
    stage.awaitEmptySource();
    assertThat(idsOf("a"))
        .containsExactly("a-0", "a-2", "a-3", "a-4", "a-5", "a-6", "a-7", "a-8", "a-9");
  }

  @Test
  @Tag("C16")
  void orderIsKeptWhenConnectionsAreCutInTheMiddle() {
    stage.start(failingAt("a-3", 1, Duration.ofMillis(300)));
    publish("a", 200);
    publish("b", 200);
    for (int i = 1; i <= 5; i++) {
      int soFar = i * 30;
      Stage.await("some effects").until(() -> stage.database.effects() >= soFar);
      stage.broker.cutConnections();
    }
    stage.awaitEffects(400);
    stage.awaitEmptySource();
    assertThat(idsOf("a")).isEqualTo(expected("a", 200));
    assertThat(idsOf("b")).isEqualTo(expected("b", 200));
  }

  @Test
  @Tag("C16")
  void orderIsKeptWhenAParkedMessageIsGivenBackBeforeItsLeaseEnds() {
    // Long retries in a short lease: what is parked goes back to the broker meanwhile.
    stage.start(
        failing(
                InMemoryOptions.standard().inOrder().withLease(Duration.ofSeconds(7)),
                "a-0",
                3,
                Duration.ofSeconds(3))
            .maxAttempts(10)
            .handlerTimeout(Duration.ofSeconds(2)));
    publish("a", 0, 1);
    Stage.await("its second failure").until(() -> runs.getOrDefault("a-0", 0) == 2);
    publish("a", 1, 5); // younger, so that their own leases last longer
    stage.awaitEffects(5);
    stage.awaitEmptySource();
    assertThat(stage.heard.all("released")).isPositive();
    assertThat(idsOf("a")).isEqualTo(expected("a", 5));
  }

  @Test
  @Tag("C16")
  void orderIsKeptAcrossAReplacementOfTheConsumer() {
    var first = stage.start(failingAt("a-5", 2, Duration.ofSeconds(1)));
    publish("a", 40);
    Stage.await("a failure").until(() -> stage.heard.count("retried a-5") == 1);
    first.close();
    stage.start(failingAt("a-5", 2, Duration.ofSeconds(1)));
    stage.awaitEffects(40);
    stage.awaitEmptySource();
    assertThat(idsOf("a")).isEqualTo(expected("a", 40));
  }

  @Test
  void orderingIsRefusedWhereTheSourceCannotKeepIt() {
    assertThatThrownBy(
            () -> stage.consumer().orderedBy(Key.recordKey()).apply(Stage.inserting()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("orders")
        .hasMessageContaining("orderedBy");
  }

  @Test
  void healthSaysSoWhenHalfOfThePrefetchIsHeldBackAndNamesTheNextKey() {
    var consumer =
        stage.start(failingAt("a-0", 1, Duration.ofSeconds(4)).prefetch(20).maxAttempts(5));
    publish("a", 30);
    Stage.await("health that names the key")
        .until(
            () ->
                consumer.health().status() == Health.Status.DEGRADED
                    && consumer.health().reasons().toString().matches(".*held back.*a-0.*"));
    stage.awaitEffects(30);
    stage.awaitEmptySource();
    stage.awaitStatus(consumer, Health.Status.UP);
    assertThat(idsOf("a")).isEqualTo(expected("a", 30));
  }

  private ConsumerBuilder<JsonNode> failingAt(String id, int times, Duration delay) {
    return failing(InMemoryOptions.standard().inOrder(), id, times, delay);
  }

  private ConsumerBuilder<JsonNode> failing(
      InMemoryOptions options, String id, int times, Duration delay) {
    return stage
        .consumer("orders", options)
        .orderedBy(Key.recordKey())
        .backoff(Backoff.fixed(delay))
        .apply(
            (payload, tx) -> {
              if (tx.key().equals(id) && runs.merge(id, 1, Integer::sum) <= times) {
                throw new IllegalStateException("not yet");
              }
              Stage.inserting().apply(payload, tx);
              order.add(tx.key());
            });
  }

  private void publish(String key, int count) {
    publish(key, 0, count);
  }

  private void publish(String key, int from, int to) {
    for (int i = from; i < to; i++) {
      Envelope plain = Stage.order(key + "-" + i);
      stage.broker.publish(
          Stage.QUEUE,
          Envelope.of("?", plain.body())
              .messageId(plain.messageId())
              .recordKey(key)
              .contentType("application/json")
              .build());
    }
  }

  /** In the order in which their transactions began to write. */
  private List<String> idsOf(String key) {
    return stage.database.column(
        "select id from effect where id like ? order by place", key + "-%");
  }

  private static List<String> expected(String key, int count) {
    return java.util.stream.IntStream.range(0, count).mapToObj(i -> key + "-" + i).toList();
  }
}
