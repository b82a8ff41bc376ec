package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.IdempotentConsumer;
import dev.acklast.spi.Health;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers that do not return. */
@Tag("E02")
class HandlerTimeoutTest {
  @RegisterExtension private final Stage stage = new Stage();
  private final Gate gate = new Gate();

  @Test
  void blockedHandlersAreInterruptedAndCountedAndHealthyOnesPass() {
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .concurrency(4)
                .handlerTimeout(Duration.ofSeconds(1))
                .maxAttempts(2)
                .apply(
                    (order, tx) -> {
                      Stage.inserting().apply(order, tx);
                      if (tx.key().startsWith("blocked-0")) {
                        tx.handle().execute("select pg_sleep(100)");
                      } else if (tx.key().startsWith("blocked")) {
                        new CountDownLatch(1).await();
                      }
                    }));
    stage.publishMany("blocked", 4);
    stage.publishMany("healthy", 10);
    stage.awaitEffects(10);
    stage.awaitDead(4);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(10);
    assertThat(stage.heard.all("failed")).isEqualTo(8);
    assertThat(stage.dead())
        .allSatisfy(
            letter ->
                assertThat(Stage.death(letter).path("exception").asText())
                    .isEqualTo("dev.acklast.HandlerTimeoutException"));
    assertThat(consumer.health()).isEqualTo(Health.up());
  }

  @Test
  void handlersThatIgnoreInterruptsLoseTheirLanesAndCannotCommitLate() {
    HikariDataSource pool = stage.database.pool(6);
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .database(pool)
                .concurrency(4)
                .batchSize(1)
                .handlerTimeout(Duration.ofSeconds(1))
                .apply(
                    (order, tx) -> {
                      Stage.inserting().apply(order, tx);
                      if (tx.key().startsWith("stubborn") && tx.attempt() == 1) {
                        gate.passStubbornly();
                      }
                    }));
    stage.publishMany("stubborn", 4);
    Stage.await("all hang").until(() -> gate.arrivals() == 4);
    stage.publishMany("healthy", 200);
    stage.awaitStatus(consumer, Health.Status.DEGRADED);
    stage.awaitEffects(204);
    stage.awaitEmptySource();
    assertThat(consumer.health().reasons().toString()).contains("4 handlers hang");
    assertThat(stage.logs.lines())
        .anyMatch(line -> line.contains("key=stubborn-0") && line.contains("passStubbornly"));
    assertThat(stage.heard.count("outage opened"))
        .as("hanging handlers use up no connections of the pool")
        .isZero();

    gate.open();
    stage.awaitStatus(consumer, Health.Status.UP);
    assertThat(stage.database.effects()).isEqualTo(204);
    assertThat(stage.database.column("select distinct n from effect where id like 'stubborn-%'"))
        .containsExactly("2");
    Stage.await("all connections back")
        .until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
  }

  @Test
  void tooManyHangingHandlersMakeHealthDownUntilTheyReturn() {
    IdempotentConsumer consumer =
        stage.start(
            stage
                .consumer()
                .concurrency(1)
                .batchSize(1)
                .handlerTimeout(Duration.ofMillis(500))
                .apply(
                    (order, tx) -> {
                      Stage.inserting().apply(order, tx);
                      if (tx.key().startsWith("stubborn") && tx.attempt() == 1) {
                        gate.passStubbornly();
                      }
                    }));
    stage.publishMany("stubborn", 2);
    stage.awaitDown(consumer, "hang");
    stage.publishMany("healthy", 5);
    gate.open();
    stage.awaitStatus(consumer, Health.Status.UP);
    stage.awaitEffects(7);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(7);
  }
}
