package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.spi.Envelope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;

/** Section <em>settling</em>: retries, and the delays before them. */
interface RetryContract extends Section {
  /** When each run of each message began. */
  final class Runs {
    private final Map<String, List<Long>> starts = new ConcurrentHashMap<>();

    void add(String key) {
      starts.computeIfAbsent(key, k -> new CopyOnWriteArrayList<>()).add(System.nanoTime());
    }

    int count(String key) {
      return starts.getOrDefault(key, List.of()).size();
    }

    /** From the start of one run to the start of the next. */
    Duration pauseAfter(String key, int run) {
      List<Long> all = starts.getOrDefault(key, List.of());
      return Duration.ofNanos(all.get(run) - all.get(run - 1));
    }
  }

  @SettlingCase
  @Tag("A20")
  @Tag("B20")
  default void retryComesNotBeforeItsDelayAndSoonAfterIt() {
    Runs runs = new Runs();
    Duration delay = Duration.ofSeconds(1);
    scene().start(failing(runs, 2).backoff(Backoff.fixed(delay)));
    scene().publish("delayed");
    scene().awaitEffects(1);
    for (int run = 1; run <= 2; run++) {
      assertThat(runs.pauseAfter("delayed", run)).isBetween(delay, delay.plusSeconds(3));
    }
    scene().awaitEmptySource();
  }

  @SettlingCase
  @Tag("A20")
  default void failingMessageDoesNotHoldUpHealthyOnes() {
    Runs runs = new Runs();
    scene()
        .start(
            failing(runs, Integer.MAX_VALUE)
                .concurrency(1)
                .maxAttempts(20)
                .backoff(Backoff.fixed(Duration.ofSeconds(1))));
    scene().publish("delayed");
    scene().await("its first retry").until(() -> scene().journal.count(Event.RETRIED) >= 1);
    scene().broker.publish(scene().queue, Orders.orders("healthy", 10));
    scene().awaitEffects(10);
    assertThat(runs.count("delayed")).isLessThan(10);
  }

  @SettlingCase
  @Tag("A13")
  default void shortDelayIsNotHeldUpByALongOne() {
    Runs runs = new Runs();
    scene()
        .start(
            failing(runs, 2)
                .backoff(new Backoff(Duration.ofMillis(300), 100, Duration.ofSeconds(30), 0)));
    scene().publish("delayed");
    scene().await("a long delay").until(() -> scene().journal.count(Event.RETRIED) == 2);
    long before = System.nanoTime();
    scene().publish("delayed-briefly");
    scene().await("the short one's second run").until(() -> runs.count("delayed-briefly") >= 2);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    assertThat(runs.count("delayed")).isEqualTo(2);
  }

  @SettlingCase
  @Tag("A12")
  default void messageIsUnchangedByAnyNumberOfRetries() {
    List<Envelope> seen = new CopyOnWriteArrayList<>();
    Envelope sent =
        Envelope.of("?", Orders.body("same"))
            .messageId("m-same")
            .contentType("application/json")
            .headers(Map.of("tenant", "Größe 7", "trace", "abc"))
            .build();
    scene()
        .start(
            scene()
                .consumer()
                .maxAttempts(6)
                .apply(
                    (order, tx) -> {
                      seen.add(tx.envelope());
                      if (seen.size() < 6) {
                        throw new IllegalStateException("not yet");
                      }
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                    }));
    scene().publish(sent);
    scene().awaitEffects(1);
    assertThat(seen).hasSize(6);
    Envelope first = seen.get(0);
    for (Envelope later : seen) {
      assertThat(later.body()).isEqualTo(sent.body());
      assertThat(later.headers()).isEqualTo(first.headers());
      assertThat(later.messageId()).isEqualTo(first.messageId());
      assertThat(later.contentType()).isEqualTo(first.contentType());
      assertThat(later.source()).isEqualTo(first.source());
    }
    assertThat(first.headers()).containsAllEntriesOf(sent.headers());
    scene().awaitEmptySource();
  }

  @SettlingCase
  default void nothingIsLostWhileTheSourceIsMissingAsDelaysExpire() {
    scene().needs(Ability.RETRIES_OFF_SOURCE).needs(Ability.DELETE_QUEUE);
    Runs runs = new Runs();
    scene().start(failing(runs, 1).backoff(Backoff.fixed(Duration.ofSeconds(1))));
    scene().broker.publish(scene().queue, Orders.orders("delayed", 5));
    scene().await("all delayed").until(() -> scene().journal.count(Event.RETRIED) == 5);
    scene()
        .await("all off the source")
        .until(
            () ->
                scene().broker.ready(scene().queue) + scene().broker.unsettled(scene().queue) == 0);
    scene().broker.deleteQueue(scene().queue);
    scene().await("the delays' end").pollDelay(Duration.ofSeconds(2)).until(() -> true);
    scene().broker.createQueue(scene().queue);
    scene().awaitEffects(5);
    assertThat(scene().database.effects()).isEqualTo(5);
  }

  @SettlingCase
  default void nothingIsLostWhileTheSourceIsFullAsDelaysExpire() {
    scene().needs(Ability.NATIVE_RETRY).needs(Ability.FILL_SOURCE);
    Runs runs = new Runs();
    scene().start(failing(runs, 1).backoff(Backoff.fixed(Duration.ofSeconds(1))));
    scene().broker.publish(scene().queue, Orders.orders("delayed", 5));
    scene().await("all delayed").until(() -> scene().journal.count(Event.RETRIED) == 5);
    scene().broker.full(scene().queue, true);
    scene().await("the delays' end").pollDelay(Duration.ofSeconds(2)).until(() -> true);
    scene().broker.full(scene().queue, false);
    scene().awaitEffects(5);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(5);
  }

  @SettlingCase
  @Tag("C16")
  default void orderOfAKeyIsKeptAcrossRetries() {
    scene().needs(Ability.ORDERED);
    List<String> done = new CopyOnWriteArrayList<>();
    Runs runs = new Runs();
    scene()
        .start(
            scene()
                .consumer()
                .source(scene().broker.orderedSource(scene().queue))
                .orderedBy(order -> order.path("customer").asText())
                .apply(
                    (order, tx) -> {
                      runs.add(tx.key());
                      if (tx.key().equals("created") && runs.count("created") == 1) {
                        throw new IllegalStateException("fails once");
                      }
                      done.add(tx.key());
                    }));
    for (String id : List.of("created", "modified", "cancelled")) {
      scene()
          .publish(
              Envelope.of(
                      "?",
                      ("{\"orderId\":\"" + id + "\",\"customer\":\"7\"}")
                          .getBytes(StandardCharsets.UTF_8))
                  .messageId(id)
                  .orderingKey("7")
                  .build());
    }
    scene().await("all three").until(() -> done.size() == 3);
    assertThat(done).containsExactly("created", "modified", "cancelled");
  }

  /** Messages whose key begins with {@code delayed} fail so many times. */
  private ConsumerBuilder<?> failing(Runs runs, int times) {
    return scene()
        .consumer()
        .batchSize(1)
        .apply(
            (order, tx) -> {
              runs.add(tx.key());
              if (tx.key().startsWith("delayed") && runs.count(tx.key()) <= times) {
                throw new IllegalStateException("fails");
              }
              TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
            });
  }
}
