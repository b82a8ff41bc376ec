package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.IdempotentConsumer;
import dev.acklast.spi.Health;
import dev.acklast.spi.RefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;

/** Section <em>life</em>: the database's failures, none of which is the messages' fault. */
interface OutageContract extends Section {
  @LifeCase
  default void startsWhileTheDatabaseIsDownAndHeals() {
    scene().needsDatabaseRestart();
    scene().databases.stop();
    IdempotentConsumer consumer;
    try {
      consumer = scene().startInserting();
      scene().broker.publish(scene().queue, Orders.orders("early", 20));
      scene().awaitStatus(consumer, Health.Status.DOWN);
    } finally {
      scene().databases.start();
    }
    scene().awaitEffects(20);
    scene().awaitEmptySource();
    scene().awaitStatus(consumer, Health.Status.UP);
    assertThat(scene().database.effects()).isEqualTo(20);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @LifeCase
  @Tag("E05")
  @Tag("E06")
  default void databaseOutageCountsAgainstNoMessage() {
    scene().needsDatabaseRestart();
    Gate gate = new Gate();
    AtomicInteger runs = new AtomicInteger();
    IdempotentConsumer consumer =
        scene()
            .start(
                scene()
                    .consumer()
                    .batchSize(10)
                    .apply(
                        (order, tx) -> {
                          TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                          if (runs.incrementAndGet() > 100) {
                            gate.pass();
                          }
                        }));
    scene().broker.publish(scene().queue, Orders.orders("load", 300));
    scene().await("work in hand").until(() -> gate.arrivals() >= 1);
    scene().databases.stop();
    gate.open();
    try {
      scene().await("an outage").until(() -> scene().journal.count(Event.OUTAGE_OPENED) >= 1);
      assertThat(consumer.health().status()).isNotEqualTo(Health.Status.UP);
      scene().await("a while of it").pollDelay(Duration.ofSeconds(3)).until(() -> true);
    } finally {
      scene().databases.start();
    }
    scene().awaitEffects(300);
    scene().awaitEmptySource();
    scene().awaitStatus(consumer, Health.Status.UP);
    assertThat(scene().database.effects()).isEqualTo(300);
    assertThat(scene().database.distinctEffects()).isEqualTo(300);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @LifeCase
  @Tag("D06")
  default void smallestPoolServesAllLanesWhileHalfOfTheMessagesFail() {
    int lanes = 4;
    HikariDataSource pool = scene().database.pool(lanes + 2);
    scene()
        .start(
            scene()
                .consumer()
                .database(pool)
                .concurrency(lanes)
                .apply(
                    (order, tx) -> {
                      if (Integer.parseInt(tx.key().substring("half-".length())) % 2 == 0) {
                        throw new IllegalStateException("fails");
                      }
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                    }));
    scene().broker.publish(scene().queue, Orders.orders("half", 100));
    scene().awaitEffects(50);
    scene().awaitDeadLetters(50);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(50);
    assertThat(scene().deadLetters()).hasSize(50);
  }

  @LifeCase
  default void exhaustedPoolIsAnOutageAndCountsAgainstNoMessage() throws SQLException {
    HikariDataSource pool = scene().database.pool(6);
    IdempotentConsumer consumer =
        scene().start(scene().consumer().database(pool).concurrency(2).apply(Scene.inserting()));
    scene().publish("before");
    scene().awaitEffects(1);
    List<Connection> taken = new ArrayList<>();
    try {
      while (taken.size() < 6) {
        taken.add(pool.getConnection());
      }
      scene().broker.publish(scene().queue, Orders.orders("meanwhile", 20));
      scene()
          .await("health that says so")
          .until(() -> consumer.health().status() != Health.Status.UP);
    } finally {
      for (Connection connection : taken) {
        connection.close();
      }
    }
    scene().awaitEffects(21);
    scene().awaitEmptySource();
    scene().awaitStatus(consumer, Health.Status.UP);
    assertThat(scene().database.number("select max(n) from effect")).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @LifeCase
  default void fullDiskIsAnOutageAndCountsAgainstNoMessage() {
    IdempotentConsumer consumer = scene().startInserting();
    scene().publish("before");
    scene().awaitEffects(1);
    scene()
        .database
        .execute(
            "create function disk_full() returns trigger language plpgsql as"
                + " $$ begin raise exception 'no space left' using errcode = '53100'; end $$");
    scene()
        .database
        .execute(
            "create trigger disk_full before insert on acklast_claim execute function disk_full()");
    scene().broker.publish(scene().queue, Orders.orders("meanwhile", 20));
    scene()
        .await("health that says so")
        .until(() -> consumer.health().status() != Health.Status.UP);
    scene().database.execute("drop trigger disk_full on acklast_claim");
    scene().awaitEffects(21);
    scene().awaitEmptySource();
    assertThat(scene().database.number("select max(n) from effect")).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @LifeCase
  default void roleWithoutRightsToCreateIsRefusedWithTheSqlOrServedByWhatIsThere() {
    String role = "app_" + Long.toString(System.nanoTime(), 36);
    scene().database.execute("create role " + role + " login password 'app'");
    scene().database.execute("revoke create on schema public from public");
    scene().database.execute("grant usage on schema public to " + role);
    HikariDataSource pool =
        scene().database.pool(scene().database.address().url(), role, "app", 10);
    IdempotentConsumer refused = scene().consumer().database(pool).apply(Scene.inserting()).build();
    assertThatThrownBy(refused::start)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("acklast_claim");
    refused.close();
    // The owner creates the tables, as a migration would.
    scene().startInserting().close();
    scene()
        .database
        .execute("grant select, insert, update, delete on all tables in schema public to " + role);
    scene().start(scene().consumer().database(pool).apply(Scene.inserting()));
    scene().publish("served");
    scene().awaitEffects(1);
    scene().awaitEmptySource();
  }
}
