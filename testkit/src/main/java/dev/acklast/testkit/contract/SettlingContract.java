package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.IdempotentConsumer;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.SettleResult.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Section <em>settling</em>: acks, releases, and settles that come too late. */
interface SettlingContract extends Section {
  @SettlingCase
  default void ackRemovesForGoodAcrossBrokerRestart() {
    scene().needs(Ability.RESTART);
    IdempotentConsumer first = scene().startInserting();
    scene().broker.publish(scene().queue, Orders.orders("done", 10));
    scene().awaitEffects(10);
    scene().awaitEmptySource();
    first.close();
    scene().broker.restart();
    assertThat(scene().left(scene().queue)).isZero();
    int received = scene().journal.count(Event.RECEIVED);
    scene().startInserting();
    scene().publish("after");
    scene().await("the one after").until(() -> scene().database.effects("after") == 1);
    assertThat(scene().journal.count(Event.RECEIVED)).isEqualTo(received + 1);
  }

  /** While a step before the settle is held up, the message is still on the source. */
  @ParameterizedTest
  @Tag("settling")
  @EnumSource(
      value = Event.class,
      names = {"CLAIMED", "EFFECT_DONE", "COMMITTED"})
  default void sourceKeepsTheMessageUntilTheOutcomeIsDurable(Event step) {
    Gate gate = new Gate();
    StepListener holding =
        (event, key) -> {
          if (event == step) {
            gate.pass();
          }
        };
    scene().start(scene().consumer().listener(holding).apply(Scene.inserting()));
    scene().publish("kept");
    scene().await("step " + step).until(() -> gate.arrivals() > 0);
    scene()
        .await("the message with its consumer")
        .until(() -> scene().broker.unsettled(scene().queue) == 1);
    gate.open();
    scene().awaitEffects(1);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(1);
  }

  @SettlingCase
  @Tag("C15")
  default void releasedMessagesAreBackSoonAndUncounted() {
    Gate gate = new Gate();
    scene().broker.publish(scene().queue, Orders.orders("r", 10));
    IdempotentConsumer first =
        scene()
            .start(
                scene()
                    .consumer()
                    .concurrency(1)
                    .batchSize(1)
                    .prefetch(10)
                    .apply(
                        (order, tx) -> {
                          gate.pass();
                          TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                        }));
    scene().await("all in hand").until(() -> scene().journal.count(Event.RECEIVED) == 10);
    Thread drain = new Thread(() -> first.drain(Duration.ofSeconds(8)));
    drain.start();
    scene().startInserting();
    scene().awaitEffects(9);
    gate.open();
    scene().awaitEffects(10);
    scene().awaitEmptySource();
    assertThat(scene().database.number("select count(*) from effect where n = 1")).isEqualTo(10);
    assertThat(scene().database.ledgerRows()).isZero();
    scene().await("the drain's end").until(() -> !drain.isAlive());
  }

  @SettlingCase
  default void orderIsKeptOnRelease() {
    scene().needs(Ability.ORDER_ON_RELEASE);
    for (int i = 0; i < 5; i++) {
      String id = "o-" + i;
      scene().publish(Envelope.of("?", Orders.body(id)).messageId(id).orderingKey("o").build());
    }
    List<String> expected = List.of("o-0", "o-1", "o-2", "o-3", "o-4");
    try (SpiConsumer first = spi(5)) {
      scene().await("all five").until(() -> first.size() == 5);
      first.stopIntake();
      for (Delivery delivery : first.deliveries()) {
        assertThat(SpiConsumer.status(delivery.acker().release())).isEqualTo(Status.DONE);
      }
    }
    scene().await("all back").until(() -> scene().broker.ready(scene().queue) == 5);
    try (SpiConsumer second = spi(5)) {
      scene().await("all five again").until(() -> second.size() == 5);
      assertThat(second.deliveries().stream().map(SpiConsumer::text))
          .containsExactlyElementsOf(
              expected.stream().map(id -> "{\"orderId\":\"" + id + "\"}").toList());
    }
  }

  @SettlingCase
  default void closingLeavesWhatIsUnsettledToTheBroker() {
    scene().broker.publish(scene().queue, Orders.orders("left", 3));
    try (SpiConsumer consumer = spi(2)) {
      scene().await("two in hand").until(() -> consumer.size() == 2);
    }
    scene().await("all three back").until(() -> scene().broker.ready(scene().queue) == 3);
    scene().startInserting();
    scene().awaitEffects(3);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(3);
  }

  @SettlingCase
  @Tag("A04")
  default void settlingTwiceIsAReportedNoOp() {
    scene().broker.publish(scene().queue, Orders.orders("twice", 5));
    try (SpiConsumer consumer = spi(5)) {
      scene().await("all five").until(() -> consumer.size() == 5);
      Delivery one = consumer.deliveries().get(0);
      assertThat(SpiConsumer.status(one.acker().ack())).isEqualTo(Status.DONE);
      assertThat(SpiConsumer.status(one.acker().ack())).isEqualTo(Status.LATE);
      assertThat(SpiConsumer.status(one.acker().release())).isEqualTo(Status.LATE);
      scene().await("four left").until(() -> scene().broker.unsettled(scene().queue) == 4);
      scene()
          .await("nothing redelivered")
          .during(Duration.ofMillis(500))
          .until(() -> consumer.size() == 5);
      consumer.deliveries().stream()
          .skip(1)
          .forEach(
              other -> assertThat(SpiConsumer.status(other.acker().ack())).isEqualTo(Status.DONE));
      scene().awaitEmptySource();
    }
  }

  @SettlingCase
  @Tag("A03")
  default void staleSettleAfterReconnectIsLateAndDisturbsNothing() {
    scene().needs(Ability.CUT);
    scene().broker.publish(scene().queue, Orders.orders("stale", 2));
    try (SpiConsumer consumer = spi(2)) {
      scene().await("both").until(() -> consumer.size() == 2);
      List<Delivery> old = consumer.deliveries();
      scene().broker.cutConnections();
      scene().await("both again").until(() -> consumer.size() == 4);
      assertThat(SpiConsumer.status(old.get(0).acker().deadLetter(death()))).isEqualTo(Status.LATE);
      assertThat(SpiConsumer.status(old.get(0).acker().ack())).isEqualTo(Status.LATE);
      assertThat(SpiConsumer.status(old.get(1).acker().release())).isEqualTo(Status.LATE);
      assertThat(old.get(0).acker().isLive()).isFalse();
      scene().await("both unsettled").until(() -> scene().broker.unsettled(scene().queue) == 2);
      settleAll(consumer.deliveries().subList(2, 4));
      scene().awaitEmptySource();
      assertThat(consumer.size()).isEqualTo(4);
      assertThat(scene().deadLetters()).isEmpty();
    }
  }

  @SettlingCase
  @Tag("B03")
  default void settleAfterTheLeaseEndedIsLateAndDisturbsNothing() {
    scene().needs(Ability.SHORT_LEASE);
    scene().publish("lent");
    try (SpiConsumer consumer =
        new SpiConsumer(
            scene().broker.shortLeaseSource(scene().queue), 2, scene().deadLetterQueue)) {
      scene().await("the message again").until(() -> consumer.size() == 2);
      Delivery old = consumer.deliveries().get(0);
      assertThat(SpiConsumer.status(old.acker().ack())).isEqualTo(Status.LATE);
      assertThat(scene().left(scene().queue)).isEqualTo(1);
      settleAll(consumer.deliveries().subList(1, 2));
      scene().awaitEmptySource();
    }
  }

  @SettlingCase
  default void lostAckIsRedeliveredRecognisedAndAcked() {
    scene().needs(Ability.CUT);
    AtomicBoolean cut = new AtomicBoolean();
    StepListener cutting =
        (event, key) -> {
          if (event == Event.COMMITTED && cut.compareAndSet(false, true)) {
            scene().broker.cutConnections();
          }
        };
    scene().start(scene().consumer().listener(cutting).apply(Scene.inserting()));
    scene().publish("lost");
    scene().await("a duplicate").until(() -> scene().journal.count(Event.DUPLICATE, "lost") >= 1);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @SettlingCase
  @Tag("A23")
  default void failingMessageTakesNoNeighbourAlong() {
    Gate gate = new Gate();
    Set<String> failed = ConcurrentHashMap.newKeySet();
    List<String> runs = new CopyOnWriteArrayList<>();
    scene().broker.publish(scene().queue, Orders.orders("n", 4));
    scene()
        .start(
            scene()
                .consumer()
                .concurrency(4)
                .batchSize(1)
                .prefetch(5)
                .apply(
                    (order, tx) -> {
                      runs.add(tx.key());
                      if (tx.key().equals("n-3") && failed.add(tx.key())) {
                        throw new IllegalStateException("fails once");
                      }
                      if (!tx.key().equals("n-3")) {
                        gate.pass();
                      }
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                    }));
    scene().await("the failed one's effect").until(() -> scene().database.effects("n-3") == 1);
    gate.open();
    scene().awaitEffects(4);
    scene().awaitEmptySource();
    assertThat(runs).containsExactlyInAnyOrder("n-0", "n-1", "n-2", "n-3", "n-3");
  }

  private SpiConsumer spi(int prefetch) {
    return new SpiConsumer(scene().broker.source(scene().queue), prefetch, scene().deadLetterQueue);
  }

  private static void settleAll(List<Delivery> deliveries) {
    for (Delivery delivery : deliveries) {
      assertThat(SpiConsumer.status(delivery.acker().ack())).isEqualTo(Status.DONE);
    }
  }

  private static DeathReport death() {
    return new DeathReport(
        "d", "INVALID", 0, null, null, "?", "?", "contract", null, Instant.EPOCH);
  }
}
