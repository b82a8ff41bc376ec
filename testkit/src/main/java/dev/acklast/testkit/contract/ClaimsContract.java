package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.ConsumerBuilder;
import dev.acklast.spi.Envelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section <em>claims</em>: whatever comes twice, and however close, takes effect once. */
interface ClaimsContract extends Section {
  @ClaimsCase
  @Tag("D01")
  default void fiftyCopiesAtOnceHaveOneEffect() {
    scene().broker.publish(scene().queue, Collections.nCopies(50, Orders.order("same")));
    for (int i = 0; i < 2; i++) {
      scene().start(scene().consumer().concurrency(8).apply(Scene.inserting()));
    }
    scene().await("49 duplicates").until(() -> scene().journal.count(Event.DUPLICATE) >= 49);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(1);
    assertThat(scene().journal.count(Event.DUPLICATE)).isEqualTo(49);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @ClaimsCase
  @Tag("D03")
  default void duplicateIsAckedWithoutARun() {
    AtomicInteger runs = new AtomicInteger();
    scene()
        .start(
            scene()
                .consumer()
                .apply(
                    (order, tx) -> {
                      runs.incrementAndGet();
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                    }));
    scene().publish("same");
    scene().awaitEffects(1);
    scene().publish("same", "same");
    scene().await("two duplicates").until(() -> scene().journal.count(Event.DUPLICATE) == 2);
    scene().awaitEmptySource();
    assertThat(runs).hasValue(1);
    assertThat(scene().database.claims()).isEqualTo(1);
  }

  @ClaimsCase
  default void secondCopyAppliesWhenTheFirstRollsBack() {
    AtomicBoolean failed = new AtomicBoolean();
    Gate gate = new Gate();
    for (int i = 0; i < 2; i++) {
      scene()
          .start(
              scene()
                  .consumer()
                  .prefetch(1)
                  .apply(
                      (order, tx) -> {
                        TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                        if (failed.compareAndSet(false, true)) {
                          gate.pass();
                          throw new IllegalStateException("rolls back");
                        }
                      }));
    }
    scene().publish("same", "same");
    scene().await("the first run").until(() -> gate.arrivals() == 1);
    scene().await("both in hand").until(() -> scene().journal.count(Event.RECEIVED) >= 2);
    gate.open();
    scene().awaitEffects(1);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @ClaimsCase
  default void duplicatesInsideOneBatchHaveOneEffectEach() {
    List<Envelope> messages = new ArrayList<>();
    for (int copy = 0; copy < 3; copy++) {
      messages.addAll(Orders.orders("batch", 40));
    }
    scene().broker.publish(scene().queue, messages);
    scene().start(scene().consumer().concurrency(2).apply(Scene.inserting()));
    scene().await("80 duplicates").until(() -> scene().journal.count(Event.DUPLICATE) == 80);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(40);
    assertThat(scene().database.distinctEffects()).isEqualTo(40);
  }

  @ClaimsCase
  default void failingMessageInsideABatchTakesNobodyAlong() {
    scene().broker.publish(scene().queue, Orders.orders("good", 60));
    scene().publish("poison-1");
    scene().broker.publish(scene().queue, Orders.orders("better", 60));
    Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();
    scene().start(poisoned(failures));
    scene().awaitDeadLetters(1);
    scene().awaitEffects(120);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(120);
    assertThat(scene().database.distinctEffects()).isEqualTo(120);
    assertThat(failures.get("poison-1")).hasValue(Scene.MAX_ATTEMPTS);
    assertThat(scene().deadLetters()).hasSize(1);
  }

  @ClaimsCase
  default void allOfABatchFailingHaveTheirAttemptsEach() {
    scene().broker.publish(scene().queue, Orders.orders("poison", 40));
    Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();
    scene().start(poisoned(failures));
    scene().awaitDeadLetters(40);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isZero();
    assertThat(failures).hasSize(40);
    assertThat(failures.values()).allSatisfy(n -> assertThat(n).hasValue(Scene.MAX_ATTEMPTS));
  }

  @ClaimsCase
  default void keyHeldElsewhereStallsNoOtherAndCountsNothing() throws SQLException {
    scene().startInserting();
    scene().publish("first");
    scene().awaitEffects(1);
    try (Connection holder = scene().database.connect();
        var statement = holder.createStatement()) {
      statement.execute("insert into acklast_claim(scope, key) values ('orders', 'held')");
      scene().publish("held");
      scene().broker.publish(scene().queue, Orders.orders("free", 50));
      scene().awaitEffects(51);
      scene()
          .await("the held one waits")
          .during(Duration.ofSeconds(3))
          .until(() -> scene().database.effects("held") == 0);
      holder.rollback();
    }
    scene().await("the held one").until(() -> scene().database.effects("held") == 1);
    scene().awaitEmptySource();
    assertThat(scene().database.number("select n from effect where id = 'held'")).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @ClaimsCase
  @Tag("D04")
  default void effectsThatDeadlockEachOtherBothApply() {
    scene().database.execute("create table stock(id text primary key, n int)");
    scene().database.execute("insert into stock values ('a', 0), ('b', 0)");
    scene()
        .start(
            scene()
                .consumer()
                .concurrency(4)
                .batchSize(1)
                .apply(
                    (order, tx) -> {
                      boolean forth = tx.key().hashCode() % 2 == 0;
                      String update = "update stock set n = n + 1 where id = ?";
                      tx.handle().execute(update, forth ? "a" : "b");
                      tx.handle().execute("select pg_sleep(0.02)");
                      tx.handle().execute(update, forth ? "b" : "a");
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                    }));
    scene().broker.publish(scene().queue, Orders.orders("lock", 6));
    scene().awaitEffects(6);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(6);
    assertThat(scene().database.number("select sum(n) from stock")).isEqualTo(12);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @ParameterizedTest
  @Tag("claims")
  @Tag("D05")
  @ValueSource(strings = {"read committed", "repeatable read"})
  default void concurrentCopiesHaveOneEffectAtIsolation(String level) {
    scene().database.isolation(level);
    List<Envelope> messages = new ArrayList<>();
    for (int copy = 0; copy < 20; copy++) {
      messages.addAll(Orders.orders("iso", 10));
    }
    scene().broker.publish(scene().queue, messages);
    for (int i = 0; i < 2; i++) {
      scene().start(scene().consumer().concurrency(4).apply(Scene.inserting()));
    }
    scene().await("190 duplicates").until(() -> scene().journal.count(Event.DUPLICATE) >= 190);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(10);
    assertThat(scene().database.number("select max(n) from effect")).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @ClaimsCase
  default void claimAndEffectCarryTheSameTransactionId() {
    scene().startInserting();
    scene().broker.publish(scene().queue, Orders.orders("x", 20));
    scene().awaitEffects(20);
    int same =
        scene()
            .database
            .number(
                "select count(*) from effect e join acklast_claim c on c.key = e.id"
                    + " where c.scope = 'orders' and c.xmin::text = e.xmin::text");
    assertThat(same).isEqualTo(20);
  }

  @ClaimsCase
  @Tag("D17")
  default void consumersWithTwoScopesHaveTwoEffectsAndWithOneScopeOne() {
    String other = scene().freshName();
    scene().broker.createQueue(other);
    scene().startInserting();
    scene().start(scene().consumer().source(scene().broker.source(other)).apply(Scene.inserting()));
    scene().publish("event");
    scene().broker.publish(other, List.of(Orders.order("event")));
    scene().await("a duplicate").until(() -> scene().journal.count(Event.DUPLICATE) == 1);
    assertThat(scene().database.effects("event")).isEqualTo(1);
    String third = scene().freshName();
    scene().broker.createQueue(third);
    scene()
        .start(
            scene()
                .consumer()
                .scope("mail")
                .source(scene().broker.source(third))
                .apply(Scene.inserting()));
    scene().broker.publish(third, List.of(Orders.order("event")));
    scene().await("the other scope's effect").until(() -> scene().database.effects("event") == 2);
    scene().awaitEmptySource();
  }

  @ClaimsCase
  @Tag("D19")
  default void redeliveryAfterTheClaimExpiredIsDeadLetteredNotRepeated() {
    // Begins with the first copy that arrives, however long the consumer takes to start.
    AtomicReference<Instant> happened = new AtomicReference<>();
    scene()
        .start(
            scene()
                .consumer()
                .retention(Duration.ofSeconds(1))
                .eventTime(
                    (order, envelope) ->
                        happened.updateAndGet(earlier -> earlier == null ? Instant.now() : earlier))
                .apply(Scene.inserting()));
    // Copies keep coming while the claim passes from kept to expired and purged.
    scene()
        .await("a copy that came too late")
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              scene().publish("old");
              return !scene().deadLetters().isEmpty();
            });
    scene().awaitEmptySource();
    assertThat(scene().database.effects("old")).isEqualTo(1);
    assertThat(scene().deadLetters())
        .allSatisfy(
            dead -> assertThat(Orders.death(dead).path("reason").asText()).isEqualTo("EXPIRED"));
  }

  /** Keys that begin with {@code poison} fail, and are counted. */
  private ConsumerBuilder<?> poisoned(Map<String, AtomicInteger> failures) {
    return scene()
        .consumer()
        .apply(
            (order, tx) -> {
              if (tx.key().startsWith("poison")) {
                failures.computeIfAbsent(tx.key(), k -> new AtomicInteger()).incrementAndGet();
                throw new IllegalStateException("poisoned");
              }
              TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
            });
  }
}
