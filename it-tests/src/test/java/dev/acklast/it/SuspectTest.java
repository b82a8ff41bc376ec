package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.AcklastListener;
import dev.acklast.IdempotentConsumer;
import dev.acklast.MessageInfo;
import dev.acklast.servers.RequestFault;
import dev.acklast.servers.TcpProxy;
import dev.acklast.spi.Health;
import dev.acklast.testkit.QueueFault;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that somebody may have begun before. */
class SuspectTest {
  @RegisterExtension private final Stage stage = new Stage();

  @Test
  void marksOfABatchAreLiftedByADrainSoThatNobodyIsTakenForDead() {
    AtomicBoolean block = new AtomicBoolean();
    Gate reached = new Gate();
    reached.open();
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .concurrency(1)
                .apply(
                    (order, tx) -> {
                      if (block.get()) {
                        reached.pass();
                        new CountDownLatch(1).await();
                      }
                      Stage.inserting().apply(order, tx);
                    }));
    stage.publishMany("warm", 500);
    stage.awaitEffects(500);
    stage.awaitEmptySource();
    consumer.pause();
    block.set(true);
    stage.publishMany("suspect", 50);
    stage.broker.crash();
    consumer.resume();
    Stage.await("a suspect runs").until(() -> reached.arrivals() == 1);
    Stage.await("marks").until(() -> marks() > 0);
    assertThat(consumer.drain(Duration.ofMillis(500))).isFalse();
    assertThat(marks()).isZero();
    assertThat(stage.broker.ready(Stage.QUEUE)).isEqualTo(50);

    block.set(false);
    stage.start(stage.consumer().apply(Stage.inserting()));
    stage.awaitEffects(550);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(550);
    assertThat(stage.database.number("select max(n) from effect")).isEqualTo(1);
    assertThat(stage.heard.all("failed")).isZero();
    assertThat(stage.database.number("select count(*) from acklast_attempt")).isZero();
  }

  @Test
  @Tag("A02")
  void suspectsThatWereAppliedAreAckedWithoutARun() {
    stage.start(stage.consumer().apply(Stage.inserting())).close();
    stage.database.execute(
        "insert into acklast_claim(scope, key)"
            + " select 'orders', 'known-' || g from generate_series(0, 999) g");
    stage.publishMany("known", 1_000);
    stage.publishMany("fresh", 200);
    stage.broker.crash();
    stage.start(stage.consumer().apply(Stage.inserting()));
    stage.awaitEffects(200);
    stage.awaitEmptySource();
    Stage.await("all duplicates").until(() -> stage.heard.all("duplicate") == 1_000);
    assertThat(stage.database.effects()).isEqualTo(200);
    assertThat(stage.database.number("select count(*) from effect where id like 'known%'"))
        .isZero();
    assertThat(stage.database.number("select count(*) from acklast_attempt")).isZero();
  }

  @Test
  void copyOfADeadMessageDiesOfTheSameWithoutARun() {
    IdempotentConsumer consumer = startRefusing();
    stage.publish("dead");
    stage.awaitDead(1);
    stage.awaitEmptySource();
    consumer.pause();
    stage.publish("dead");
    stage.broker.crash();
    consumer.resume();
    assertThat(stage.awaitDead(2))
        .extracting(letter -> Stage.death(letter).path("reason").asText())
        .containsOnly("NON_RETRYABLE");
    stage.awaitEmptySource();
    assertThat(stage.heard.all("failed")).isEqualTo(1);
  }

  @Test
  void messageThatFailedForGoodIsNotRunAgainWhereItsLetterWasNotWritten() {
    IdempotentConsumer consumer = startRefusing();
    stage.broker.createQueue(Stage.DEAD);
    stage.broker.fault(QueueFault.REFUSING, Stage.DEAD);
    stage.publish("doomed");
    stage.awaitStatus(consumer, Health.Status.DEGRADED);
    consumer.pause();
    stage.broker.crash();
    consumer.resume();
    Stage.await("another delivery").until(() -> stage.heard.all("received") == 2);
    stage.broker.fault(QueueFault.NONE, Stage.DEAD);
    assertThat(Stage.death(stage.awaitDead(1).get(0)).path("reason").asText())
        .isEqualTo("NON_RETRYABLE");
    stage.awaitEmptySource();
    assertThat(stage.heard.all("failed")).isEqualTo(1);
  }

  @Test
  void decodingMarkIsOffBeforeTheBrokerHearsOfAMessageThatDoesNotRun() {
    List<Integer> left = new CopyOnWriteArrayList<>();
    IdempotentConsumer consumer =
        stage
            .consumer()
            .filter((order, envelope) -> !order.path("orderId").asText().equals("filtered"))
            .listener(
                new AcklastListener() {
                  @Override
                  public void settled(MessageInfo message) {
                    left.add(stage.database.number("select count(*) from acklast_attempt"));
                  }
                })
            .apply(Stage.inserting())
            .build();
    stage.closing(consumer);
    consumer.start();
    consumer.pause();
    stage.publish("filtered");
    stage.broker.publish(Stage.QUEUE, Stage.envelope("{\"orderId\":", "m-torn"));
    stage.broker.crash();
    consumer.resume();
    stage.awaitDead(1);
    stage.awaitEmptySource();
    Stage.await("both settled").until(() -> left.size() == 2);
    assertThat(left).containsOnly(0);
  }

  @Test
  void decodingMarkIsLiftedByADrainThatGivesTheMessageBack() throws SQLException {
    IdempotentConsumer consumer = stage.start(stage.consumer().apply(Stage.inserting()));
    consumer.pause();
    stage.publish("held");
    stage.broker.crash();
    try (Connection other = stage.database.pool().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("insert into acklast_claim(scope, key) values ('orders', 'held')");
      consumer.resume();
      Stage.await("decoded").until(() -> undecoded() == 1);
      consumer.close();
      other.rollback();
    }
    assertThat(stage.broker.ready(Stage.QUEUE)).isEqualTo(1);
    assertThat(undecoded()).isZero();
  }

  @Test
  void decodingMarkOfALostDeliveryIsLiftedThoughACommitGetsLost() throws Exception {
    Map<String, Gate> gates = Map.of("leading", new Gate(), "first", new Gate());
    TcpProxy proxy = stage.database.proxy();
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .database(stage.database.pool(proxy, 8))
                .concurrency(1)
                .filter((order, envelope) -> passes(gates.get(order.path("orderId").asText())))
                .apply(Stage.inserting()));
    stage.publishMany("warm", 200); // it is known then that a batch may be larger than one
    stage.awaitEffects(200);
    stage.awaitEmptySource();
    consumer.pause();
    stage.publish("leading", "first", "second");
    stage.broker.crash();
    consumer.resume();
    Stage.await("all in hand").until(() -> stage.heard.all("received") == 203);
    gates.get("leading").open();
    Stage.await("decoding of the others").until(() -> gates.get("first").arrivals() == 1);
    assertThat(undecoded()).isGreaterThanOrEqualTo(2);
    stage.broker.down();
    stage.broker.purge(Stage.QUEUE);
    var commit = proxy.onCommit(RequestFault.CUT_BEFORE);
    gates.get("first").open();
    commit.get(30, TimeUnit.SECONDS);
    Stage.await("the end of the marks").until(() -> undecoded() == 0);
    Stage.await("the end of the unread one").until(() -> stage.heard.count("late null") == 1);
    stage.broker.up();
  }

  private static boolean passes(@Nullable Gate gate) {
    try {
      if (gate != null) {
        gate.pass();
      }
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private int undecoded() {
    return stage.database.number(
        "select count(*) from acklast_attempt where scope = 'undecoded:orders'");
  }

  private IdempotentConsumer startRefusing() {
    return stage.start(
        stage
            .consumer()
            .nonRetryable(IOException.class)
            .apply(
                (order, tx) -> {
                  throw new IOException("no such account");
                }));
  }

  private int marks() {
    return stage.database.number("select count(*) from acklast_attempt where run is not null");
  }
}
