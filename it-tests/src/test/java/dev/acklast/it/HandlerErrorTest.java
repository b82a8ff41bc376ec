package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.AcklastListener;
import dev.acklast.DeathReason;
import dev.acklast.IdempotentConsumer;
import dev.acklast.MessageInfo;
import dev.acklast.spi.Health;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever handlers and listeners throw. */
class HandlerErrorTest {
  @RegisterExtension private final Stage stage = new Stage();

  @Test
  @Tag("E01")
  void stackOverflowAndLinkageErrorsAreFailedAttempts() {
    stage.start(
        stage
            .consumer()
            .concurrency(2)
            .apply(
                (order, tx) -> {
                  switch (tx.key()) {
                    case "deep" -> overflow(1);
                    case "missing" -> throw new NoClassDefFoundError("gone");
                    case "asserts" -> throw new AssertionError("no");
                    default -> Stage.inserting().apply(order, tx);
                  }
                }));
    stage.publish("deep", "missing", "asserts");
    stage.publishMany("healthy", 20);
    stage.awaitEffects(20);
    List<String> exceptions =
        stage.awaitDead(3).stream()
            .map(letter -> Stage.death(letter).path("exception").asText())
            .toList();
    stage.awaitEmptySource();
    assertThat(exceptions)
        .containsExactlyInAnyOrder(
            "java.lang.StackOverflowError",
            "java.lang.NoClassDefFoundError",
            "java.lang.AssertionError");
    assertThat(stage.heard.all("failed")).isEqualTo(3 * Stage.MAX_ATTEMPTS);
    assertThat(stage.database.effects()).isEqualTo(20);
  }

  @SuppressWarnings("InfiniteRecursion") // that is the point
  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }

  @Test
  @Tag("E01")
  void outOfMemoryStopsTheConsumerAndHealthSaysSo() {
    AtomicBoolean roomy = new AtomicBoolean();
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .concurrency(2)
                .apply(
                    (order, tx) -> {
                      if (tx.key().equals("huge") && !roomy.get()) {
                        throw new OutOfMemoryError("Java heap space");
                      }
                      Stage.inserting().apply(order, tx);
                    }));
    stage.publish("huge");
    stage.awaitDown(consumer, "OutOfMemoryError");
    stage.publishMany("later", 20);
    Stage.await("nothing is consumed any more")
        .during(Duration.ofSeconds(2))
        .until(() -> stage.database.effects() == 0);
    assertThat(stage.dead()).isEmpty();

    consumer.close();
    roomy.set(true);
    stage.start(stage.consumer().apply(Stage.inserting()));
    stage.awaitEffects(21);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(21);
  }

  @Test
  @Tag("E03")
  void interruptFlagThatAHandlerLeavesSetHitsNobodyElse() {
    Set<String> interrupted = ConcurrentHashMap.newKeySet();
    stage.start(
        stage
            .consumer()
            .concurrency(1)
            .apply(
                (order, tx) -> {
                  if (Thread.currentThread().isInterrupted()) {
                    interrupted.add(tx.key());
                  }
                  Stage.inserting().apply(order, tx);
                  Thread.currentThread().interrupt();
                }));
    stage.publishMany("flag", 50);
    stage.awaitEffects(50);
    stage.awaitEmptySource();
    assertThat(interrupted).isEmpty();
    assertThat(stage.heard.all("failed") + stage.heard.all("rerun")).isZero();
    assertThat(stage.heard.count("outage opened")).isZero();
  }

  @Test
  void nonRetryableFailureIsDeadLetteredAtOnceAlsoAsACause() {
    AtomicInteger runs = new AtomicInteger();
    stage.start(
        stage
            .consumer()
            .nonRetryable(IOException.class)
            .apply(
                (order, tx) -> {
                  runs.incrementAndGet();
                  throw new IllegalStateException(new IOException("for good"));
                }));
    stage.publish("hopeless");
    assertThat(Stage.death(stage.awaitDead(1).get(0)).path("reason").asText())
        .isEqualTo("NON_RETRYABLE");
    stage.awaitEmptySource();
    assertThat(runs).hasValue(1);
  }

  /** Something that all messages need. */
  static final class PspDown extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void declaredOutagePausesAndCountsAgainstNobody() {
    AtomicBoolean down = new AtomicBoolean(true);
    AtomicInteger calls = new AtomicInteger();
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .outageOn(PspDown.class)
                .apply(
                    (order, tx) -> {
                      if (down.get()) {
                        calls.incrementAndGet();
                        throw new IllegalStateException(new PspDown());
                      }
                      Stage.inserting().apply(order, tx);
                    }));
    stage.publishMany("pay", 30);
    stage.awaitDown(consumer, "PspDown");
    Stage.await("a while of it")
        .during(Duration.ofSeconds(3))
        .until(() -> stage.database.effects() == 0);
    assertThat(calls.get()).as("calls while it is down").isLessThan(20);
    down.set(false);
    stage.awaitEffects(30);
    stage.awaitEmptySource();
    stage.awaitStatus(consumer, Health.Status.UP);
    assertThat(stage.database.number("select max(n) from effect")).isEqualTo(1);
    assertThat(stage.heard.all("failed")).isZero();
    assertThat(stage.dead()).isEmpty();
  }

  @Test
  void idempotencyKeyIsTheSameOnEveryAttemptAndForEveryCopy() {
    Set<String> keys = ConcurrentHashMap.newKeySet();
    Set<String> others = ConcurrentHashMap.newKeySet();
    AtomicInteger runs = new AtomicInteger();
    stage.start(
        stage
            .consumer()
            .apply(
                (order, tx) -> {
                  (tx.key().equals("pay") ? keys : others).add(tx.idempotencyKey());
                  if (tx.key().equals("pay") && runs.incrementAndGet() < 3) {
                    throw new IllegalStateException("again");
                  }
                  Stage.inserting().apply(order, tx);
                }));
    stage.publish("pay", "pay", "pay2");
    stage.awaitEffects(2);
    stage.awaitEmptySource();
    assertThat(keys).hasSize(1).doesNotContainAnyElementsOf(others);
    assertThat(keys.iterator().next()).hasSizeBetween(20, 64).matches("[a-zA-Z0-9]+");
    assertThat(runs.get()).isEqualTo(3);
  }

  @Test
  @Tag("D20")
  void businessFailureShowsThoughTheConnectionDiedUnderIt() {
    stage.start(
        stage
            .consumer()
            .apply(
                (order, tx) -> {
                  if (tx.key().equals("deadly")) {
                    stage.database.execute(
                        "select pg_terminate_backend(?)",
                        tx.handle().select("select pg_backend_pid()").mapTo(Integer.class).one());
                    throw new IllegalStateException("business");
                  }
                  Stage.inserting().apply(order, tx);
                }));
    stage.publish("deadly");
    stage.publishMany("healthy", 20);
    stage.awaitEffects(20);
    var death = Stage.death(stage.awaitDead(1).get(0));
    stage.awaitEmptySource();
    assertThat(death.path("exception").asText()).isEqualTo("java.lang.IllegalStateException");
    assertThat(death.path("message").asText()).isEqualTo("business");
    assertThat(death.path("key").asText()).isEqualTo("deadly");
    assertThat(stage.database.effects()).isEqualTo(20);
    assertThat(stage.heard.count("outage opened")).isZero();
  }

  @Test
  @Tag("D20")
  void commitIsToldOnceThoughTheEffectHadToBeSerializedAgain() {
    AtomicInteger runs = new AtomicInteger();
    stage.start(
        stage
            .consumer()
            .apply(
                (order, tx) -> {
                  Stage.inserting().apply(order, tx);
                  if (runs.incrementAndGet() < 4) {
                    throw new SQLException("could not serialize access", "40001");
                  }
                }));
    stage.publish("serialized");
    stage.awaitEffects(1);
    stage.awaitEmptySource();
    assertThat(stage.heard.count("committed serialized")).isEqualTo(1);
    assertThat(stage.heard.all("failed")).isZero();
    assertThat(stage.database.effects()).isEqualTo(1);
  }

  @ParameterizedTest
  @Tag("D20")
  @ValueSource(strings = {"exception", "assertion", "linkage", "overflow"})
  void whatListenersThrowChangesNoOutcome(String kind) {
    Supplier<Throwable> failure =
        switch (kind) {
          case "exception" -> () -> new IllegalStateException("listener");
          case "assertion" -> () -> new AssertionError("listener");
          case "linkage" -> () -> new NoClassDefFoundError("listener");
          default -> StackOverflowError::new;
        };
    List<String> told = new CopyOnWriteArrayList<>();
    stage.start(
        stage
            .consumer()
            .filter((order, envelope) -> !order.path("orderId").asText().equals("skipped"))
            .listener(new Throwing(failure, told))
            .apply(
                (order, tx) -> {
                  if (tx.key().equals("poison")) {
                    throw new IllegalStateException("poison");
                  }
                  Stage.inserting().apply(order, tx);
                }));
    stage.publish("poison", "skipped", "good-0");
    stage.publishMany("good", 20);
    stage.awaitDead(1);
    stage.awaitEffects(20);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(20);
    assertThat(stage.heard.lines())
        .filteredOn(line -> line.startsWith("failed"))
        .containsExactly("failed poison 1", "failed poison 2", "failed poison 3");
    assertThat(told)
        .contains(
            "received",
            "claimed",
            "duplicate",
            "effectDone",
            "committed",
            "attemptFailed",
            "retried",
            "deadLettered",
            "skipped",
            "settled");
    assertThat(stage.logs.lines()).filteredOn(line -> line.contains("A listener threw")).hasSize(1);
  }

  /** Throws at every step. */
  private record Throwing(Supplier<Throwable> failure, List<String> told)
      implements AcklastListener {
    private void fail(String step) {
      told.add(step);
      Throwing.<RuntimeException>sneak(failure.get());
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable failure) throws X {
      throw (X) failure;
    }

    @Override
    public void received(MessageInfo message) {
      fail("received");
    }

    @Override
    public void claimed(MessageInfo message) {
      fail("claimed");
    }

    @Override
    public void duplicate(MessageInfo message) {
      fail("duplicate");
    }

    @Override
    public void effectDone(MessageInfo message, Duration took) {
      fail("effectDone");
    }

    @Override
    public void committed(MessageInfo message) {
      fail("committed");
    }

    @Override
    public void attemptFailed(MessageInfo message, int attempts, Throwable cause) {
      fail("attemptFailed");
    }

    @Override
    public void retried(MessageInfo message, Duration delay) {
      fail("retried");
    }

    @Override
    public void deadLettered(MessageInfo message, DeathReason reason) {
      fail("deadLettered");
    }

    @Override
    public void skipped(MessageInfo message) {
      fail("skipped");
    }

    @Override
    public void settled(MessageInfo message) {
      fail("settled");
    }
  }
}
