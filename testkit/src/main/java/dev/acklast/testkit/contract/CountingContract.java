package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.ConsumerBuilder;
import dev.acklast.IdempotentConsumer;
import dev.acklast.spi.Envelope;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;

/** Section <em>counting</em>: what counts as an attempt, who counts, and when it ends. */
interface CountingContract extends Section {
  @CountingCase
  default void attemptsGoUpToTheLimitAndEndInADeadLetter() {
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    scene().start(failing(attempts, Integer.MAX_VALUE));
    scene().publish("poison");
    Envelope dead = scene().awaitDeadLetters(1).get(0);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(Orders.death(dead).path("attempts").asInt()).isEqualTo(3);
  }

  @CountingCase
  @Tag("C14")
  default void attemptsAreCountedOnceAcrossInstances() {
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 3; i++) {
      scene().start(failing(attempts, Integer.MAX_VALUE));
    }
    scene().publish("poison");
    scene().awaitDeadLetters(1);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1, 2, 3);
  }

  @CountingCase
  default void attemptsGoOnAfterTheConsumerWasReplaced() {
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    for (int i = 1; i <= 3; i++) {
      int runs = i;
      IdempotentConsumer consumer = scene().start(failing(attempts, Integer.MAX_VALUE));
      if (i == 1) {
        scene().publish("poison");
      }
      scene().await("run " + runs).until(() -> attempts.size() >= runs);
      consumer.close();
    }
    scene().start(failing(attempts, Integer.MAX_VALUE));
    scene().awaitDeadLetters(1);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1, 2, 3);
  }

  @CountingCase
  default void attemptsGoOnAfterABrokerRestart() {
    scene().needs(Ability.RESTART);
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    scene().start(failing(attempts, Integer.MAX_VALUE));
    scene().publish("poison");
    scene().await("a retry").until(() -> scene().journal.count(Event.RETRIED) >= 1);
    scene().broker.restart();
    scene().awaitDeadLetters(1);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1, 2, 3);
  }

  @CountingCase
  @Tag("A16")
  default void attemptsGoOnAfterAReconnect() {
    scene().needs(Ability.CUT);
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    scene().start(failing(attempts, Integer.MAX_VALUE));
    scene().publish("poison");
    scene().await("a retry").until(() -> scene().journal.count(Event.RETRIED) >= 1);
    scene().broker.cutConnections();
    scene().awaitDeadLetters(1);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1, 2, 3);
  }

  @CountingCase
  default void successAtTheLastAttemptLeavesOneEffectAndACleanLedger() {
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    scene().start(failing(attempts, Scene.MAX_ATTEMPTS - 1));
    scene().publish("flaky");
    scene().awaitEffects(1);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(scene().database.effects("flaky")).isEqualTo(1);
    assertThat(scene().database.ledgerRows()).isZero();
    assertThat(scene().deadLetters()).isEmpty();
  }

  @CountingCase
  @Tag("B05")
  default void deliveriesThatNeverReachedTheHandlerCountNothing() {
    scene().needs(Ability.CUT);
    Gate gate = new Gate();
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    scene()
        .start(
            scene()
                .consumer()
                .concurrency(1)
                .batchSize(1)
                .apply(
                    (order, tx) -> {
                      if (tx.key().equals("holder")) {
                        gate.pass();
                      } else {
                        attempts.add(tx.attempt());
                      }
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                    }));
    scene().publish("holder");
    scene().await("the lane is held").until(() -> gate.arrivals() == 1);
    scene().publish("waiting");
    for (int i = 1; i <= 5; i++) {
      int deliveries = 2 * i;
      scene()
          .await("delivery " + i)
          .until(() -> scene().journal.count(Event.RECEIVED) >= deliveries);
      scene().broker.cutConnections();
    }
    gate.open();
    scene().awaitEffects(2);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1);
    assertThat(scene().database.effects()).isEqualTo(2);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @CountingCase
  @Tag("A25")
  default void redrivenDeadLetterStartsAtTheFirstAttempt() {
    AtomicBoolean mended = new AtomicBoolean();
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    scene()
        .start(
            scene()
                .consumer()
                .apply(
                    (order, tx) -> {
                      attempts.add(tx.attempt());
                      if (!mended.get()) {
                        throw new IllegalStateException("fails");
                      }
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                    }));
    scene().publish("poison");
    scene().awaitDeadLetters(1);
    scene().awaitEmptySource();
    mended.set(true);
    scene().broker.redrive(scene().deadLetterQueue, scene().queue);
    scene().awaitEffects(1);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1, 2, 3, 1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @CountingCase
  default void redrivenDeadLetterThatFailsAgainHasAllItsAttempts() {
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    scene().start(failing(attempts, Integer.MAX_VALUE));
    scene().publish("poison");
    scene().awaitDeadLetters(1);
    scene().awaitEmptySource();
    scene().broker.redrive(scene().deadLetterQueue, scene().queue);
    scene().await("six runs").until(() -> attempts.size() == 6);
    scene().awaitDeadLetters(1);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1, 2, 3, 1, 2, 3);
    assertThat(scene().deadLetters()).hasSize(1);
  }

  @CountingCase
  default void deadLetterWhoseAckWasLostIsNotRunAgain() {
    scene().needs(Ability.CUT);
    AtomicBoolean cut = new AtomicBoolean();
    StepListener cutting =
        (event, key) -> {
          if (event == Event.DEAD_LETTERED && cut.compareAndSet(false, true)) {
            scene().broker.cutConnections();
          }
        };
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    scene().start(failing(attempts, Integer.MAX_VALUE).listener(cutting));
    scene().publish("poison");
    scene().awaitDeadLetters(1);
    scene().awaitEmptySource();
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(
            scene().deadLetters().stream()
                .map(letter -> Orders.death(letter).path("id").asText())
                .distinct())
        .hasSize(1);
  }

  @CountingCase
  @Tag("A02")
  default void overtakenRunThatCommitsLeavesOneEffectAndNoCount() {
    scene().needs(Ability.CUT);
    overtake(false);
    assertThat(scene().database.number("select max(n) from effect")).isEqualTo(1);
  }

  @CountingCase
  @Tag("A02")
  default void overtakenRunThatRollsBackLeavesTheEffectToTheOther() {
    scene().needs(Ability.CUT);
    overtake(true);
  }

  /** A run goes on after its delivery was taken away and given to another instance. */
  private void overtake(boolean firstFails) {
    Gate gate = new Gate();
    AtomicInteger runs = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      scene()
          .start(
              scene()
                  .consumer()
                  .apply(
                      (order, tx) -> {
                        TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                        if (runs.incrementAndGet() == 1) {
                          gate.pass();
                          if (firstFails) {
                            throw new IllegalStateException("fails at last");
                          }
                        }
                      }));
    }
    scene().publish("slow");
    scene().await("the first run").until(() -> gate.arrivals() == 1);
    scene().broker.cutConnections();
    scene().await("the redelivery").until(() -> scene().journal.count(Event.RECEIVED) >= 2);
    scene()
        .await("no second effect meanwhile")
        .during(Duration.ofSeconds(2))
        .until(() -> scene().journal.count(Event.COMMITTED) == 0);
    gate.open();
    scene().awaitEffects(1);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
    scene().await("a clean ledger").until(() -> scene().database.liveLedgerRows() == 0);
  }

  private ConsumerBuilder<JsonNode> failing(List<Integer> attempts, int times) {
    return scene()
        .consumer()
        .apply(
            (order, tx) -> {
              attempts.add(tx.attempt());
              if (attempts.size() <= times) {
                throw new IllegalStateException("fails");
              }
              TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
            });
  }
}
