package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.IdempotentConsumer;
import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.spi.Health;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** PostgreSQL goes away under load: nobody's fault, and nobody's loss. */
class DatabaseOutageTest {
  private static final int MESSAGES = 2_000;
  private static PostgresServer server;

  @RegisterExtension private final Stage stage = new Stage(() -> server);

  @BeforeAll
  static void startServer() {
    server = Servers.postgres(Map.of("max_connections", "40"));
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @Test
  @Tag("E05")
  @Tag("E06")
  void databaseStoppedForSecondsInMidLoadCostsNothing() {
    outage(Duration.ofSeconds(3));
  }

  @Test
  @Tag("E05")
  @Tag("E06")
  @Tag("long")
  void databaseStoppedForHalfAMinuteInMidLoadCostsNothing() {
    outage(Duration.ofSeconds(30));
  }

  private void outage(Duration time) {
    Assumptions.assumeTrue(server.canRestart(), "the server is not ours to stop");
    IdempotentConsumer consumer = stage.start(stage.consumer().apply(Stage.inserting()));
    stage.publishMany("load", MESSAGES / 2);
    stage.awaitEffects(100);
    server.stop();
    try {
      stage.publishMany("more", MESSAGES / 2);
      stage.awaitStatus(consumer, Health.Status.DOWN);
      Stage.await("the outage's end")
          .atMost(time.plusSeconds(20))
          .during(time)
          .until(() -> consumer.health().status() == Health.Status.DOWN);
    } finally {
      server.start();
    }
    stage.awaitEffects(MESSAGES);
    stage.awaitEmptySource();
    stage.awaitStatus(consumer, Health.Status.UP);
    assertThat(stage.database.effects()).isEqualTo(MESSAGES);
    assertThat(stage.database.distinctEffects()).isEqualTo(MESSAGES);
    assertThat(stage.database.number("select max(n) from effect")).isEqualTo(1);
    assertThat(stage.dead()).isEmpty();
    assertThat(stage.heard.all("failed")).isZero();
    assertThat(stage.heard.count("outage opened")).isEqualTo(1);
    Stage.await("the end is told").until(() -> stage.heard.count("outage closed") == 1);
    assertThat(stage.database.number("select count(*) from acklast_attempt")).isZero();
  }

  @Test
  @Tag("E05")
  void healthAnswersAtOnceThroughoutAnOutageWhateverThePoolsPatience() {
    Assumptions.assumeTrue(server.canRestart(), "the server is not ours to stop");
    HikariDataSource patient = stage.database.pool();
    patient.getHikariConfigMXBean().setConnectionTimeout(10_000);
    IdempotentConsumer consumer =
        stage.start(stage.consumer().database(patient).apply(Stage.inserting()));
    stage.publishMany("load", 50);
    stage.awaitEffects(50);
    server.stop();
    try {
      stage.publishMany("more", 50);
      long[] slowest = {0};
      Stage.await("health DOWN")
          .until(
              () -> {
                long asked = System.nanoTime();
                boolean down = consumer.health().status() == Health.Status.DOWN;
                slowest[0] = Math.max(slowest[0], System.nanoTime() - asked);
                return down;
              });
      assertThat(Duration.ofNanos(slowest[0])).isLessThan(Duration.ofSeconds(2));
    } finally {
      server.start();
    }
    stage.awaitEffects(100);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(100);
  }

  @Test
  @Tag("E05")
  void databaseThatFreezesAndGoesOnCostsNothing() {
    Assumptions.assumeTrue(server.canRestart(), "the server is not ours to freeze");
    IdempotentConsumer consumer = stage.start(stage.consumer().apply(Stage.inserting()));
    stage.publishMany("load", 1000);
    stage.awaitEffects(100);
    server.freeze();
    try {
      Stage.await("a while of it")
          .during(Duration.ofSeconds(3))
          .until(() -> consumer.health() != null);
    } finally {
      server.thaw();
    }
    stage.awaitEffects(1000);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(1000);
    assertThat(stage.dead()).isEmpty();
    assertThat(stage.heard.all("failed")).isZero();
  }

  @Test
  @Tag("E05")
  void tooManyConnectionsAreAnOutage() throws Exception {
    HikariDataSource pool = stage.database.pool(6);
    IdempotentConsumer consumer =
        stage.start(stage.consumer().database(pool).apply(Stage.inserting()));
    stage.publish("before");
    stage.awaitEffects(1);
    stage.database.execute("alter database %s connection limit 0".formatted(databaseName()));
    stage.database.execute("create role plain login password 'plain'");
    stage.database.execute("grant all on all tables in schema public to plain");
    try (HikariDataSource limited =
        stage.database.pool(server.dataSourceOf(stage.database.url, "plain", "plain"), 6)) {
      IdempotentConsumer refused =
          stage.start(stage.consumer().database(limited).apply(Stage.inserting()));
      stage.awaitStatus(refused, Health.Status.DOWN);
      stage.publishMany("meanwhile", 20);
      stage.database.execute("alter database %s connection limit -1".formatted(databaseName()));
      stage.awaitStatus(refused, Health.Status.UP);
      stage.awaitEffects(21);
      refused.close();
    }
    stage.awaitEmptySource();
    assertThat(consumer.health().status()).isEqualTo(Health.Status.UP);
    assertThat(stage.database.effects()).isEqualTo(21);
    assertThat(stage.dead()).isEmpty();
  }

  @Test
  @Tag("E06")
  void outageDuringTheLoneRunOfASuspectIsNoDeathOfIt() {
    Assumptions.assumeTrue(server.canRestart(), "the server is not ours to stop");
    Gate gate = new Gate();
    IdempotentConsumer first = stage.start(stage.consumer().apply(Stage.inserting()));
    stage.awaitStatus(first, Health.Status.UP);
    first.close();
    // What a process leaves behind that died over a batch with this message.
    stage.database.execute(
        "insert into acklast_attempt(scope, key, attempts, run, run_alone, started_at)"
            + " values ('orders', 'suspect', 0, 'of-a-dead-process', false, clock_timestamp())");
    stage.publish("suspect");
    stage.broker.crash();
    stage.start(
        stage
            .consumer()
            .maxAttempts(1)
            .apply(
                (order, tx) -> {
                  if (gate.arrivals() == 0) {
                    gate.pass();
                  }
                  Stage.inserting().apply(order, tx);
                }));
    Stage.await("its lone run").until(() -> gate.arrivals() == 1);
    assertThat(stage.database.column("select run_alone::text from acklast_attempt"))
        .containsExactly("true");
    server.stop();
    try {
      gate.open();
      Stage.await("the outage").until(() -> stage.heard.count("outage opened") == 1);
    } finally {
      server.start();
    }
    stage.awaitEffects(1);
    stage.awaitEmptySource();
    assertThat(stage.database.column("select n from effect")).containsExactly("1");
    assertThat(stage.heard.all("failed")).isZero();
    assertThat(stage.dead()).isEmpty();
    assertThat(stage.database.number("select count(*) from acklast_attempt")).isZero();
  }

  private String databaseName() {
    return stage.database.column("select current_database()").get(0);
  }
}
