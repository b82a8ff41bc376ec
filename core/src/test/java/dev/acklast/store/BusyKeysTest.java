package dev.acklast.store;

import static dev.acklast.store.TestDatabase.execute;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BusyKeysTest {
  private static final Duration WAIT = Duration.ofMillis(100);

  private final List<String> hundred = IntStream.range(0, 100).mapToObj(i -> "key-" + i).toList();
  private TestDatabase database;
  private Inbox inbox;

  @BeforeEach
  void createTables() throws SQLException {
    database = TestDatabase.withTables();
    inbox = new Inbox(database.tables, "sales");
  }

  @Test
  void findsExactlyTheKeysThatAnOpenTransactionHolds() throws SQLException {
    try (Connection holder = database.begin();
        Connection connection = database.begin()) {
      inbox.claim(holder, List.of("key-3", "key-97"), WAIT);
      assertThat(inbox.busy(connection, hundred)).containsExactlyInAnyOrder("key-3", "key-97");
    }
  }

  @Test
  void committedKeysAreNotBusy() throws SQLException {
    try (Connection holder = database.begin();
        Connection connection = database.begin()) {
      inbox.claim(holder, List.of("key-3"), WAIT);
      holder.commit();
      assertThat(inbox.busy(connection, hundred)).isEmpty();
    }
  }

  @Test
  void claimCommittedSinceTheSnapshotIsNotBusyUnderRepeatableRead() throws SQLException {
    try (Connection holder = database.begin();
        Connection connection = database.begin()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      execute(connection, "select 1");
      inbox.claim(holder, List.of("key-3"), WAIT);
      holder.commit();
      inbox.claim(holder, List.of("key-4"), WAIT);
      assertThat(inbox.busy(connection, hundred)).containsExactly("key-4");
    }
  }

  @Test
  void holdsNothingItselfAfterwards() throws SQLException {
    try (Connection holder = database.begin();
        Connection connection = database.begin();
        Connection third = database.begin()) {
      inbox.claim(holder, List.of("key-3"), WAIT);
      inbox.busy(connection, hundred);
      assertThat(inbox.claim(third, hundred.subList(4, 100), Duration.ofMillis(1))).hasSize(96);
    }
  }

  @Test
  void transactionGoesOnAfterwards() throws SQLException {
    try (Connection holder = database.begin();
        Connection connection = database.begin()) {
      inbox.claim(holder, List.of("key-3"), WAIT);
      inbox.busy(connection, hundred);
      assertThat(inbox.claim(connection, List.of("other"), WAIT)).containsExactly("other");
      connection.commit();
    }
    assertThat(database.column("select key from acklast_claim")).containsExactly("other");
  }

  @Test
  void answersInBoundedTimeWhenAllAreBusy() throws SQLException {
    try (Connection holder = database.begin();
        Connection connection = database.begin()) {
      inbox.claim(holder, hundred, WAIT);
      long start = System.nanoTime();
      assertThat(inbox.busy(connection, hundred)).containsExactlyInAnyOrderElementsOf(hundred);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }
  }
}
