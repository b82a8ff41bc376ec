package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.IdempotentConsumer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/**
 * Section <em>life</em>: drains end in time, whatever hangs, and are no outcome for any message.
 */
interface DrainContract extends Section {
  @LifeCase
  @Tag("E09")
  default void drainLetsStartedWorkFinishAndGivesTheRestBack() {
    Gate gate = new Gate();
    IdempotentConsumer consumer = startGated(gate, 2);
    scene().broker.publish(scene().queue, Orders.orders("d", 20));
    scene().await("two at work").until(() -> gate.arrivals() == 2);
    Drain drain = new Drain(consumer, Duration.ofSeconds(20));
    scene()
        .await("what was not started is back at once")
        .until(() -> scene().broker.ready(scene().queue) == 18);
    assertThat(drain.isOver()).isFalse();
    gate.open();
    scene().await("the drain's end").until(drain::isOver);
    assertThat(drain.finishedAll).isTrue();
    assertThat(scene().database.effects()).isEqualTo(2);
    scene().await("the rest is there").until(() -> scene().left(scene().queue) == 18);
    scene().startInserting();
    scene().awaitEffects(20);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(20);
    assertThat(scene().database.number("select max(n) from effect")).isEqualTo(1);
  }

  @LifeCase
  @Tag("E10")
  default void drainCancelsAHungHandlerAtItsDeadline() {
    Gate gate = new Gate();
    IdempotentConsumer consumer = startGated(gate, 1);
    scene().publish("hung");
    scene().await("it hangs").until(() -> gate.arrivals() == 1);
    Drain drain = new Drain(consumer, Duration.ofSeconds(2));
    scene().await("the drain's end").until(drain::isOver);
    assertThat(drain.took()).isLessThan(Duration.ofSeconds(15));
    assertThat(drain.finishedAll).isFalse();
    scene().await("the message is back").until(() -> scene().broker.ready(scene().queue) == 1);
    assertThat(scene().database.effects()).isZero();
    gate.open();
    scene().startInserting();
    scene().awaitEffects(1);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(1);
    assertThat(scene().database.number("select max(n) from effect")).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @LifeCase
  @Tag("A26")
  default void drainEndsInTimeWhileTheBrokerIsFrozen() {
    scene().needs(Ability.FREEZE);
    Gate gate = new Gate();
    IdempotentConsumer consumer = startGated(gate, 1);
    scene().publish("frozen");
    scene().await("it runs").until(() -> gate.arrivals() == 1);
    scene().broker.freeze();
    Drain drain;
    try {
      gate.open();
      drain = new Drain(consumer, Duration.ofSeconds(3));
      scene().await("the drain's end").until(drain::isOver);
    } finally {
      scene().broker.thaw();
    }
    assertThat(drain.took()).isLessThan(Duration.ofSeconds(20));
    scene().startInserting();
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @LifeCase
  @Tag("C15")
  default void drainDuringARetrysDelayIsNoOutcome() {
    IdempotentConsumer failing =
        scene()
            .start(
                scene()
                    .consumer()
                    .backoff(dev.acklast.Backoff.fixed(Duration.ofSeconds(3)))
                    .apply(
                        (order, tx) -> {
                          throw new IllegalStateException("fails");
                        }));
    scene().publish("delayed");
    scene().await("its retry").until(() -> scene().journal.count(Event.RETRIED) == 1);
    failing.close();
    scene().startInserting();
    scene().awaitEffects(1);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  private IdempotentConsumer startGated(Gate gate, int lanes) {
    return scene()
        .start(
            scene()
                .consumer()
                .concurrency(lanes)
                .batchSize(1)
                .prefetch(50)
                .apply(
                    (order, tx) -> {
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                      gate.pass();
                    }));
  }

  /** A drain on a thread of its own. */
  final class Drain {
    private final long begun = System.nanoTime();
    private volatile long ended;
    private volatile boolean finishedAll;

    Drain(IdempotentConsumer consumer, Duration timeout) {
      Thread thread =
          new Thread(
              () -> {
                finishedAll = consumer.drain(timeout);
                ended = System.nanoTime();
              },
              "drain");
      thread.setDaemon(true);
      thread.start();
    }

    boolean isOver() {
      return ended != 0;
    }

    Duration took() {
      return Duration.ofNanos(ended - begun);
    }
  }
}
