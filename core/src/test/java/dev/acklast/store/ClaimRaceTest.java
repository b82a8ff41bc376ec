package dev.acklast.store;

import static dev.acklast.store.TestDatabase.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClaimRaceTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final ExecutorService threads = Executors.newFixedThreadPool(20);
  private TestDatabase database;
  private Inbox inbox;

  @BeforeEach
  void createTables() throws SQLException {
    database = TestDatabase.withTables();
    inbox = new Inbox(database.tables, "sales");
  }

  @AfterEach
  void endThreads() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void secondClaimWaitsAndIsDuplicateOnceTheFirstCommits() throws Exception {
    try (Connection first = database.begin()) {
      inbox.claim(first, List.of("a"), LONG);
      Future<Set<String>> second = threads.submit(() -> claimAndCommit(database.dataSource, "a"));
      awaitWaiting(1);
      first.commit();
      assertThat(second.get()).isEmpty();
    }
  }

  @Test
  void secondClaimWaitsAndWinsOnceTheFirstRollsBack() throws Exception {
    try (Connection first = database.begin()) {
      inbox.claim(first, List.of("a"), LONG);
      Future<Set<String>> second = threads.submit(() -> claimAndCommit(database.dataSource, "a"));
      awaitWaiting(1);
      first.rollback();
      assertThat(second.get()).containsExactly("a");
    }
  }

  @Test
  void secondClaimWinsOnceTheFirstUnclaimsAndCommits() throws Exception {
    try (Connection first = database.begin()) {
      inbox.claim(first, List.of("a", "b"), LONG);
      inbox.unclaim(first, List.of("a"));
      Future<Set<String>> second = threads.submit(() -> claimAndCommit(database.dataSource, "a"));
      awaitWaiting(1);
      first.commit();
      assertThat(second.get()).containsExactly("a");
    }
  }

  @Test
  void waitThatRunsOutSurfacesAsLockTimeout() throws Exception {
    try (Connection first = database.begin();
        Connection second = database.begin()) {
      inbox.claim(first, List.of("b"), LONG);
      assertThatThrownBy(() -> inbox.claim(second, List.of("a", "b", "c"), SHORT))
          .satisfies(
              e -> assertThat(DatabaseFailure.of(e)).isEqualTo(DatabaseFailure.LOCK_TIMEOUT));
      second.rollback();
      assertThat(inbox.claim(second, List.of("a", "c"), SHORT)).containsExactly("a", "c");
    }
  }

  @Test
  @Tag("D04")
  void batchesInOppositeOrderNeverDeadlock() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(2);
    List<String> failures = Collections.synchronizedList(new ArrayList<>());
    Callable<Integer> forwards = () -> rounds(false, barrier, failures);
    Callable<Integer> backwards = () -> rounds(true, barrier, failures);
    Future<Integer> one = threads.submit(forwards);
    Future<Integer> other = threads.submit(backwards);

    assertThat(one.get() + other.get()).as("claims of 200 rounds of 10 keys").isEqualTo(2000);
    assertThat(failures).isEmpty();
  }

  private int rounds(boolean backwards, CyclicBarrier barrier, List<String> failures)
      throws Exception {
    int claimed = 0;
    try (Connection connection = database.begin()) {
      for (int round = 0; round < 200; round++) {
        int each = round;
        List<String> keys =
            new ArrayList<>(IntStream.range(0, 10).mapToObj(i -> each + "-" + i).toList());
        if (backwards) {
          Collections.reverse(keys);
        }
        barrier.await(30, TimeUnit.SECONDS);
        try {
          claimed += inbox.claim(connection, keys, LONG).size();
          connection.commit();
        } catch (SQLException e) {
          failures.add(e.getSQLState());
          connection.rollback();
        }
      }
    }
    return claimed;
  }

  @Test
  @Tag("D05")
  void repeatableReadSurfacesAsConflictAndSucceedsWhenTriedAgain() throws Exception {
    String role = database.role();
    database.execute("grant select, insert, update, delete on acklast_claim to " + role);
    database.execute(
        "alter role " + role + " set default_transaction_isolation = 'repeatable read'");
    CyclicBarrier barrier = new CyclicBarrier(20);
    List<Future<Integer>> copies = new ArrayList<>();
    List<DatabaseFailure> failures = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 20; i++) {
      copies.add(threads.submit(() -> claimUntilDecided(database.as(role), barrier, failures)));
    }
    int winners = 0;
    for (Future<Integer> copy : copies) {
      winners += copy.get();
    }

    assertThat(winners).isEqualTo(1);
    assertThat(failures).isNotEmpty().containsOnly(DatabaseFailure.CONFLICT);
  }

  private int claimUntilDecided(
      DataSource source, CyclicBarrier barrier, List<DatabaseFailure> failures) throws Exception {
    try (Connection connection = TestDatabase.begin(source)) {
      execute(connection, "select 1");
      connection.rollback();
      barrier.await(30, TimeUnit.SECONDS);
      while (true) {
        try {
          int claimed = inbox.claim(connection, List.of("a"), LONG).size();
          execute(connection, "select pg_sleep(0.2)");
          connection.commit();
          return claimed;
        } catch (SQLException e) {
          failures.add(DatabaseFailure.of(e));
          connection.rollback();
        }
      }
    }
  }

  private Set<String> claimAndCommit(DataSource source, String key) throws SQLException {
    try (Connection connection = TestDatabase.begin(source)) {
      Set<String> claimed = inbox.claim(connection, List.of(key), LONG);
      connection.commit();
      return claimed;
    }
  }

  private void awaitWaiting(long backends) {
    await().atMost(10, TimeUnit.SECONDS).until(() -> database.waiting() == backends);
  }
}
