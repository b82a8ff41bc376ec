package dev.acklast.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.store.AttemptLedger.Death;
import dev.acklast.store.AttemptLedger.Entry;
import dev.acklast.store.AttemptLedger.Failed;
import dev.acklast.store.AttemptLedger.Mark;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AttemptLedgerTest {
  private static final Death DEATH = new Death("death-1", "NON_RETRYABLE");
  private TestDatabase database;
  private AttemptLedger ledger;
  private Connection connection;

  @BeforeEach
  void createTables() throws SQLException {
    database = TestDatabase.withTables();
    ledger = new AttemptLedger(database.tables, "sales");
    connection = database.begin();
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  @Test
  void knowsNothingOfAKeyThatNeverFailed() throws SQLException {
    assertThat(ledger.read(connection, List.of("a"))).isEmpty();
    assertThat(ledger.lock(connection, List.of())).isEmpty();
  }

  @Test
  void countsFailuresFromOne() throws SQLException {
    assertThat(fail("a")).isEqualTo(1);
    assertThat(fail("a")).isEqualTo(2);
    assertThat(fail("b")).isEqualTo(1);
    assertThat(ledger.read(connection, List.of("a", "b", "c")))
        .containsOnlyKeys("a", "b")
        .containsEntry("a", new Entry("a", 2, null, false, null, null, null));
  }

  @Test
  void scopesCountApart() throws SQLException {
    fail("a");
    AttemptLedger other = new AttemptLedger(database.tables, "mail");
    assertThat(other.read(connection, List.of("a"))).isEmpty();
    assertThat(other.recordFailure(connection, new Failed("a", null, null, "x"))).isEqualTo(1);
  }

  @Test
  void concurrentFailuresAreAllCounted() throws Exception {
    int threads = 8;
    var pool = java.util.concurrent.Executors.newFixedThreadPool(threads);
    try {
      var counts = new java.util.ArrayList<java.util.concurrent.Future<Integer>>();
      for (int i = 0; i < threads; i++) {
        counts.add(
            pool.submit(
                () -> {
                  try (Connection own = database.begin()) {
                    int count = ledger.recordFailure(own, new Failed("a", null, null, "x"));
                    own.commit();
                    return count;
                  }
                }));
      }
      var seen = new java.util.TreeSet<Integer>();
      for (var count : counts) {
        seen.add(count.get());
      }
      assertThat(seen).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void marksManyInOneStatementAndReadsThemBack() throws SQLException {
    fail("b");
    ledger.mark(
        connection, List.of(new Mark("b", "run-b", true, 4), new Mark("a", "run-a", false, 0)));
    assertThat(ledger.lock(connection, List.of("b", "a")).values())
        .containsExactly(
            new Entry("a", 0, "run-a", false, null, null, null),
            new Entry("b", 4, "run-b", true, null, null, null));
    int executions =
        StatementCount.of(
            connection,
            c -> ledger.mark(c, List.of(new Mark("c", "r", true, 1), new Mark("d", "r", true, 1))));
    assertThat(executions).isEqualTo(1);
  }

  @Test
  void unmarkDeletesOnlyRowsOfItsOwnRunAndTheirAttempts() throws SQLException {
    fail("mine");
    ledger.mark(
        connection, List.of(new Mark("mine", "run", false, 1), new Mark("lost", "other", true, 2)));
    fail("unmarked");

    assertThat(
            ledger.unmark(
                connection,
                Map.of("mine", "run", "lost", "run", "unmarked", "run", "absent", "run")))
        .containsExactly("mine");
    assertThat(ledger.read(connection, List.of("mine", "lost", "unmarked")))
        .containsOnlyKeys("lost", "unmarked");
  }

  @Test
  void clearForgetsWhateverStandsThere() throws SQLException {
    fail("failed");
    ledger.mark(connection, List.of(new Mark("marked", "run", true, 1)));
    ledger.markDead(connection, "dead", DEATH, 5);

    ledger.clear(connection, List.of("failed", "marked", "dead", "absent"));
    assertThat(ledger.read(connection, List.of("failed", "marked", "dead"))).isEmpty();
  }

  @Test
  void liftTakesOffOwnMarksAndKeepsTheCount() throws SQLException {
    ledger.mark(
        connection, List.of(new Mark("mine", "run", true, 2), new Mark("lost", "other", true, 1)));

    ledger.lift(connection, Map.of("mine", "run", "lost", "run", "absent", "run"));
    assertThat(entry("mine")).isEqualTo(new Entry("mine", 2, null, false, null, null, null));
    assertThat(entry("lost").run()).isEqualTo("other");
  }

  @Test
  void markOfARedrivenMessageBringsADeadRowBackToLife() throws SQLException {
    ledger.markDead(connection, "a", DEATH, 5);

    ledger.mark(connection, List.of(new Mark("a", "run", false, 0)));
    assertThat(entry("a")).isEqualTo(new Entry("a", 0, "run", false, null, null, null));
  }

  @Test
  void failureTakesOffItsOwnMarkAndLeavesAnothers() throws SQLException {
    ledger.mark(connection, List.of(new Mark("a", "run-1", true, 2)));
    assertThat(ledger.recordFailure(connection, new Failed("a", "run-2", null, "x"))).isEqualTo(3);
    assertThat(entry("a")).isEqualTo(new Entry("a", 3, "run-1", true, null, null, null));
    assertThat(ledger.recordFailure(connection, new Failed("a", null, null, "x"))).isEqualTo(4);
    assertThat(entry("a").run()).isEqualTo("run-1");
    assertThat(ledger.recordFailure(connection, new Failed("a", "run-1", null, "x"))).isEqualTo(5);
    assertThat(entry("a")).isEqualTo(new Entry("a", 5, null, false, null, null, null));
  }

  @Test
  void redrivenMessageStartsAfreshOnlyUnderTheDeathIdItCarries() throws SQLException {
    ledger.markDead(connection, "a", DEATH, 5);
    assertThat(ledger.recordFailure(connection, new Failed("a", null, "death-0", "x")))
        .isEqualTo(6);
    assertThat(entry("a").doomed()).isTrue();
    assertThat(ledger.recordFailure(connection, new Failed("a", null, null, "x"))).isEqualTo(7);
    assertThat(entry("a").deathId()).isEqualTo("death-1");

    assertThat(ledger.recordFailure(connection, new Failed("a", null, "death-1", "x")))
        .isEqualTo(1);
    assertThat(entry("a")).isEqualTo(new Entry("a", 1, null, false, null, null, null));
    assertThat(ledger.recordFailure(connection, new Failed("a", null, "death-1", "x")))
        .isEqualTo(2);
  }

  @Test
  void doomStandsUntilAnotherRunOrItsOwnDeath() throws SQLException {
    fail("a");
    ledger.doom(connection, "a", "NON_RETRYABLE");
    assertThat(entry("a")).isEqualTo(new Entry("a", 1, null, false, null, "NON_RETRYABLE", null));
    fail("a"); // a copy that came as a first delivery has run
    assertThat(entry("a").doomed()).isFalse();
    ledger.doom(connection, "a", "NON_RETRYABLE");
    ledger.markDead(connection, "a", DEATH, 2);
    fail("a");
    assertThat(entry("a"))
        .isEqualTo(new Entry("a", 3, null, false, null, "NON_RETRYABLE", "death-1"));
  }

  @Test
  void deadRowLosesItsMarkAndItsDelay() throws SQLException {
    ledger.mark(connection, List.of(new Mark("a", "run", true, 4)));
    ledger.delay(connection, "a", Duration.ofHours(1));
    ledger.markDead(connection, "a", DEATH, 5);
    assertThat(entry("a"))
        .isEqualTo(new Entry("a", 5, null, false, null, "NON_RETRYABLE", "death-1"));
  }

  @Test
  void delayIsMeasuredByTheDatabasesClock() throws SQLException {
    ledger.delay(connection, "a", Duration.ofMillis(90_500));
    assertThat(entry("a").dueIn()).isBetween(Duration.ofSeconds(80), Duration.ofMillis(90_500));
    assertThat(entry("a").attempts()).isZero();

    ledger.delay(connection, "a", Duration.ZERO);
    assertThat(entry("a").dueIn()).isNull();
  }

  @Test
  @Tag("D12")
  void errorThatTextCannotHoldIsCountedAllTheSame() throws SQLException {
    String error =
        "nul \u0000 lone \ud800 low \udc00 pair \ud83d\ude80 " + "\ud83d\ude80".repeat(2000);
    assertThat(ledger.recordFailure(connection, new Failed("a", null, null, error))).isEqualTo(1);
    String stored = TestDatabase.one(connection, "select last_error from acklast_attempt");
    assertThat(stored)
        .startsWith("nul \ufffd lone \ufffd low \ufffd pair \ud83d\ude80 ")
        .endsWith("\ud83d\ude80")
        .hasSizeBetween(999, 1000);
  }

  @Test
  void lockMakesOthersWaitAndReadDoesNot() throws SQLException {
    fail("a");
    connection.commit();
    ledger.lock(connection, List.of("a"));
    try (Connection other = database.begin()) {
      TestDatabase.execute(other, "set local lock_timeout = '20ms'");
      assertThat(ledger.read(other, List.of("a"))).containsKey("a");
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> ledger.lock(other, List.of("a")))
          .satisfies(
              e -> assertThat(DatabaseFailure.of(e)).isEqualTo(DatabaseFailure.LOCK_TIMEOUT));
    }
  }

  private int fail(String key) throws SQLException {
    return ledger.recordFailure(connection, new Failed(key, null, null, "boom"));
  }

  private Entry entry(String key) throws SQLException {
    return ledger.read(connection, List.of(key)).get(key);
  }
}
