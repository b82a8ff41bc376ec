package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.IdempotentConsumer;
import dev.acklast.spi.Health;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of a consumer is no outcome for any message. */
class DrainTest {
  @RegisterExtension private final Stage stage = new Stage();

  @Test
  @Tag("E09")
  void closingFinishesAndAcksWhatRunsAndGivesBackTheRestSoThatNothingRunsTwice() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    HikariDataSource pool = stage.database.pool(10);
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .database(pool)
                .concurrency(8)
                .batchSize(1)
                .apply(
                    (order, tx) -> {
                      runs.incrementAndGet();
                      Stage.inserting().apply(order, tx);
                      tx.handle().execute("select pg_sleep(1)");
                    }));
    stage.publishMany("work", 108);
    Stage.await("eight run").until(() -> runs.get() >= 8);
    consumer.close();
    pool.close(); // as a container does with its beans, last
    int done = stage.database.effects();
    assertThat(done).isEqualTo(runs.get());
    assertThat(stage.broker.ready(Stage.QUEUE)).isEqualTo(108 - done);
    assertThat(stage.broker.unsettled(Stage.QUEUE)).isZero();
    assertThat(consumer.health().status()).isEqualTo(Health.Status.DOWN);

    stage.start(stage.consumer().apply(Stage.inserting()));
    stage.awaitEffects(108);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(108);
    assertThat(stage.heard.all("duplicate")).isZero();
  }

  @RepeatedTest(3)
  @Tag("E10")
  void handlersThatExceedTheDrainsTimeAreRolledBackAndRunByTheNextConsumer() {
    AtomicInteger runs = new AtomicInteger();
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .drainTimeout(Duration.ofMillis(300))
                .apply(
                    (order, tx) -> {
                      Stage.inserting().apply(order, tx);
                      if (runs.incrementAndGet() % 5 == 0) {
                        new CountDownLatch(1).await();
                      }
                    }));
    stage.publishMany("slow", 60);
    Stage.await("some run").until(() -> runs.get() >= 5);
    long begun = System.nanoTime();
    consumer.close();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
    stage.start(stage.consumer().apply(Stage.inserting()));
    stage.awaitEffects(60);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(60);
    assertThat(stage.database.distinctEffects()).isEqualTo(60);
    assertThat(stage.database.number("select max(n) from effect")).isEqualTo(1);
    assertThat(stage.heard.all("failed")).isZero();
    assertThat(stage.dead()).isEmpty();
  }

  @Test
  @Tag("E03")
  void handlerThatSwallowsItsInterruptHoldsUpNoDrainAndCannotCommitLate() {
    Gate gate = new Gate();
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .apply(
                    (order, tx) -> {
                      Stage.inserting().apply(order, tx);
                      gate.passStubbornly();
                    }));
    stage.publish("stubborn");
    Stage.await("it hangs").until(() -> gate.arrivals() == 1);
    long begun = System.nanoTime();
    assertThat(consumer.drain(Duration.ofSeconds(1))).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
    Stage.await("it is back").until(() -> stage.broker.ready(Stage.QUEUE) == 1);
    gate.open();
    stage.start(stage.consumer().apply(Stage.inserting()));
    stage.awaitEffects(1);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(1);
    assertThat(stage.dead()).isEmpty();
  }

  @Test
  @Tag("E09")
  void databaseClosedBeforeTheConsumerCostsNothing() {
    HikariDataSource pool = stage.database.pool(6);
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .database(pool)
                .drainTimeout(Duration.ofSeconds(2))
                .apply(
                    (order, tx) -> {
                      Stage.inserting().apply(order, tx);
                      tx.handle().execute("select pg_sleep(0.05)");
                    }));
    stage.publishMany("order", 100);
    stage.awaitEffects(5);
    pool.close();
    consumer.close();
    stage.start(stage.consumer().apply(Stage.inserting()));
    stage.awaitEffects(100);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(100);
    assertThat(stage.database.number("select max(n) from effect")).isEqualTo(1);
    assertThat(stage.dead()).isEmpty();
  }

  @Test
  void handlerMayCloseItsOwnConsumer() {
    AtomicReference<IdempotentConsumer> self = new AtomicReference<>();
    CountDownLatch known = new CountDownLatch(1);
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .concurrency(2)
                .apply(
                    (order, tx) -> {
                      Stage.inserting().apply(order, tx);
                      if (tx.key().equals("last") && known.await(20, TimeUnit.SECONDS)) {
                        self.get().close();
                      }
                    }));
    self.set(consumer);
    known.countDown();
    stage.publish("last");
    stage.awaitEffects(1);
    stage.awaitEmptySource();
    stage.awaitStatus(consumer, Health.Status.DOWN);
    Stage.await("its threads end").until(() -> threadsOf("orders").isEmpty());
    stage.publishMany("unread", 5);
    Stage.await("nobody consumes")
        .during(Duration.ofSeconds(1))
        .until(() -> stage.broker.ready(Stage.QUEUE) == 5);
    assertThat(stage.database.effects()).isEqualTo(1);
    consumer.close(); // once more does nothing
  }

  @Test
  void consumerThatIsPausedBeforeItStartsTakesNothingUntilItIsResumed() {
    IdempotentConsumer consumer = stage.closing(stage.consumer().apply(Stage.inserting()).build());
    consumer.pause();
    consumer.start();
    stage.publishMany("early", 5);
    Stage.await("nothing while paused")
        .during(Duration.ofSeconds(1))
        .until(() -> stage.broker.ready(Stage.QUEUE) == 5);
    consumer.resume();
    consumer.resume();
    stage.awaitEffects(5);
    consumer.pause();
    consumer.pause();
    stage.publishMany("later", 5);
    Stage.await("nothing while paused")
        .during(Duration.ofSeconds(1))
        .until(() -> stage.database.effects() == 5);
    consumer.close();
    stage.start(stage.consumer().apply(Stage.inserting()));
    stage.awaitEffects(10);
    assertThat(stage.database.effects()).isEqualTo(10);
  }

  private static List<String> threadsOf(String consumer) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("acklast-" + consumer) || name.endsWith("-" + consumer))
        .toList();
  }
}
