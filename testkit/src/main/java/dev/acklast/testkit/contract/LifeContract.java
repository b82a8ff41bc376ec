package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.IdempotentConsumer;
import dev.acklast.spi.Health;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;

/** Section <em>life</em>: starting, stopping, and the broker's and the network's failures. */
interface LifeContract extends Section {
  @LifeCase
  default void startsWhileTheBrokerIsDownAndHeals() {
    scene().needs(Ability.STOP);
    scene().broker.stop();
    IdempotentConsumer consumer;
    try {
      consumer = scene().startInserting();
      scene().awaitStatus(consumer, Health.Status.DOWN);
      assertThat(consumer.health().reasons()).isNotEmpty();
    } finally {
      scene().broker.start();
    }
    scene().awaitStatus(consumer, Health.Status.UP);
    scene().publish("healed");
    scene().awaitEffects(1);
  }

  @LifeCase
  @Tag("A24")
  default void startsWhileTheQueueIsMissingNamesItAndHeals() {
    String missing = scene().freshName();
    IdempotentConsumer consumer =
        scene()
            .start(
                scene().consumer().source(scene().broker.source(missing)).apply(Scene.inserting()));
    scene()
        .await("health that names the queue")
        .until(
            () ->
                consumer.health().status() == Health.Status.DOWN
                    && consumer.health().reasons().toString().contains(missing));
    scene().broker.createQueue(missing);
    scene().awaitStatus(consumer, Health.Status.UP);
    scene().broker.publish(missing, java.util.List.of(Orders.order("healed")));
    scene().awaitEffects(1);
  }

  @LifeCase
  @Tag("A05")
  default void deletedQueueShowsInHealthAndIsConsumedWhenItIsBack() {
    scene().needs(Ability.DELETE_QUEUE);
    IdempotentConsumer consumer = scene().startInserting();
    scene().awaitStatus(consumer, Health.Status.UP);
    scene().broker.deleteQueue(scene().queue);
    scene().awaitStatus(consumer, Health.Status.DOWN);
    assertThat(consumer.health().reasons().toString()).contains(scene().queue);
    scene().broker.createQueue(scene().queue);
    scene().awaitStatus(consumer, Health.Status.UP);
    scene().publish("back");
    scene().awaitEffects(1);
  }

  @LifeCase
  default void brokerRestartInTheMiddleOfWorkLosesAndDoublesNothing() {
    scene().needs(Ability.RESTART);
    IdempotentConsumer consumer = startSlow();
    scene().broker.publish(scene().queue, Orders.orders("work", 300));
    scene().awaitEffects(30);
    scene().broker.restart();
    scene().awaitEffects(300);
    scene().awaitEmptySource();
    scene().awaitStatus(consumer, Health.Status.UP);
    assertThat(scene().database.effects()).isEqualTo(300);
    assertThat(scene().database.distinctEffects()).isEqualTo(300);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @LifeCase
  @Tag("A03")
  default void connectionsCutInTheMiddleOfWorkLoseAndDoubleNothing() {
    scene().needs(Ability.CUT);
    IdempotentConsumer consumer = startSlow();
    scene().broker.publish(scene().queue, Orders.orders("work", 300));
    for (int i = 1; i <= 5; i++) {
      scene().awaitEffects(i * 30);
      scene().broker.cutConnections();
    }
    scene().awaitEffects(300);
    scene().awaitEmptySource();
    scene().awaitStatus(consumer, Health.Status.UP);
    assertThat(scene().database.effects()).isEqualTo(300);
    assertThat(scene().database.distinctEffects()).isEqualTo(300);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @LifeCase
  default void halfOpenConnectionIsNoticedAndReplaced() {
    scene().needs(Ability.NETWORK);
    IdempotentConsumer consumer = startSlow();
    scene().broker.publish(scene().queue, Orders.orders("work", 200));
    scene().awaitEffects(20);
    try {
      scene().broker.network(NetworkState.HALF_OPEN);
      scene().awaitStatus(consumer, Health.Status.DOWN);
    } finally {
      scene().broker.network(NetworkState.GOOD);
    }
    scene().awaitEffects(200);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(200);
  }

  @LifeCase
  default void slowNetworkSlowsAndBreaksNothing() {
    scene().needs(Ability.NETWORK);
    try {
      scene().broker.network(NetworkState.SLOW);
      startSlow();
      scene().broker.publish(scene().queue, Orders.orders("work", 100));
      scene().awaitEffects(100);
      scene().awaitEmptySource();
    } finally {
      scene().broker.network(NetworkState.GOOD);
    }
    assertThat(scene().database.effects()).isEqualTo(100);
  }

  @LifeCase
  default void frozenBrokerThatGoesOnLosesAndDoublesNothing() {
    scene().needs(Ability.FREEZE);
    startSlow();
    scene().broker.publish(scene().queue, Orders.orders("work", 200));
    scene().awaitEffects(20);
    scene().broker.freeze();
    try {
      scene().await("a while").pollDelay(Duration.ofSeconds(2)).until(() -> true);
    } finally {
      scene().broker.thaw();
    }
    scene().awaitEffects(200);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(200);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @LifeCase
  default void pausedConsumerTakesNothingUntilItIsResumed() {
    IdempotentConsumer consumer = scene().startInserting();
    scene().awaitStatus(consumer, Health.Status.UP);
    consumer.pause();
    scene().await("a pause that has reached the broker").until(this::nothingFlows);
    int before = scene().database.effects();
    scene().broker.publish(scene().queue, Orders.orders("later", 10));
    scene()
        .await("nothing while paused")
        .during(Duration.ofSeconds(1))
        .until(() -> scene().database.effects() == before);
    consumer.resume();
    scene().awaitEffects(before + 10);
    scene().awaitEmptySource();
  }

  /** Shown by a probe message of its own that stays where it is. */
  private boolean nothingFlows() {
    scene().publish("probe-" + System.nanoTime());
    return scene().broker.ready(scene().queue) > 0;
  }

  @LifeCase
  @Tag("E08")
  default void startingAndStoppingManyTimesLeavesNothingBehind() {
    startWorkStop(0);
    Set<String> before = threads();
    int connections = connections();
    long begun = System.nanoTime();
    startWorkStop(1);
    boolean slow = System.nanoTime() - begun > Duration.ofSeconds(1).toNanos();
    for (int i = 2; i < (slow ? 20 : 100); i++) {
      startWorkStop(i);
    }
    scene().await("no thread of the consumers left").until(() -> threads().size() <= before.size());
    scene().await("no connection left").until(() -> connections() <= connections);
    scene().awaitEmptySource(); // an ack that was sent may still be on its way through the broker
  }

  private void startWorkStop(int round) {
    try (var pool = scene().database.pool(8);
        IdempotentConsumer consumer =
            scene().consumer().database(pool).apply(Scene.inserting()).build()) {
      consumer.start();
      scene().publish("round-" + round);
      scene().await("round " + round).until(() -> scene().database.effects("round-" + round) == 1);
      scene().await("its ack").until(() -> scene().journal.count(Event.SETTLED) > round);
    }
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(thread -> thread.getName() + "#" + thread.getId())
        .filter(name -> name.contains("acklast") || name.contains("AMQP") || name.contains("pool-"))
        .collect(Collectors.toSet());
  }

  private int connections() {
    return scene()
        .database
        .number("select count(*) from pg_stat_activity where datname = current_database()");
  }

  private IdempotentConsumer startSlow() {
    return scene()
        .start(
            scene()
                .consumer()
                .batchSize(10)
                .prefetch(40)
                .apply(
                    (order, tx) -> {
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                      tx.handle().execute("select pg_sleep(0.01)");
                    }));
  }
}
