package dev.acklast.store;

import static dev.acklast.store.TestDatabase.execute;
import static dev.acklast.store.TestDatabase.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClaimSettingsTest {
  private static final Duration WAIT = Duration.ofMillis(100);

  private TestDatabase database;
  private Inbox inbox;

  @BeforeEach
  void createTables() throws SQLException {
    database = TestDatabase.withTables();
    inbox = new Inbox(database.tables, "sales");
  }

  @Test
  void lockTimeoutSetForTheTransactionIsBackAfterTheClaim() throws SQLException {
    try (Connection connection = database.begin()) {
      execute(connection, "set local lock_timeout = '7s'");
      inbox.claim(connection, List.of("a"), WAIT);
      assertThat(one(connection, "show lock_timeout")).isEqualTo("7s");
      connection.commit();
      assertThat(one(connection, "show lock_timeout")).isEqualTo("0");
    }
  }

  @Test
  void lockTimeoutSetForTheSessionIsBackAfterTheClaimAndAfterTheTransaction() throws SQLException {
    try (Connection connection = database.begin()) {
      execute(connection, "set lock_timeout = '8001ms'");
      connection.commit();
      inbox.claim(connection, List.of("a"), WAIT);
      assertThat(one(connection, "show lock_timeout")).isEqualTo("8001ms");
      connection.commit();
      assertThat(one(connection, "show lock_timeout")).isEqualTo("8001ms");
      inbox.claim(connection, List.of("b"), WAIT);
      connection.rollback();
      assertThat(one(connection, "show lock_timeout")).isEqualTo("8001ms");
    }
  }

  @Test
  void lockTimeoutOfTheRoleIsBackAfterTheClaim() throws SQLException {
    String role = database.role();
    database.execute("grant select, insert, update, delete on acklast_claim to " + role);
    database.execute("alter role " + role + " set lock_timeout = '1min'");
    try (Connection connection = TestDatabase.begin(database.as(role))) {
      inbox.claim(connection, List.of("a"), WAIT);
      assertThat(one(connection, "show lock_timeout")).isEqualTo("1min");
      connection.commit();
      assertThat(one(connection, "show lock_timeout")).isEqualTo("1min");
    }
  }

  @Test
  void lockTimeoutIsBackAfterTwoClaimsInOneTransaction() throws SQLException {
    try (Connection connection = database.begin()) {
      execute(connection, "set local lock_timeout = '7s'");
      inbox.claim(connection, List.of("a"), WAIT);
      inbox.claim(connection, List.of("b"), WAIT);
      assertThat(one(connection, "show lock_timeout")).isEqualTo("7s");
    }
  }

  @Test
  void lockTimeoutIsBackOnceTheSavepointOfAFailedClaimIsRolledBack() throws SQLException {
    try (Connection holder = database.begin();
        Connection connection = database.begin()) {
      inbox.claim(holder, List.of("a"), WAIT);
      execute(connection, "set local lock_timeout = '7s'");
      Savepoint savepoint = connection.setSavepoint();
      assertThatThrownBy(() -> inbox.claim(connection, List.of("a"), WAIT))
          .isInstanceOf(SQLException.class);
      connection.rollback(savepoint);
      assertThat(one(connection, "show lock_timeout")).isEqualTo("7s");
    }
  }

  @Test
  void busyLeavesTheLockTimeoutAsItWas() throws SQLException {
    try (Connection holder = database.begin();
        Connection connection = database.begin()) {
      inbox.claim(holder, List.of("a"), WAIT);
      execute(connection, "set local lock_timeout = '7s'");
      assertThat(inbox.busy(connection, List.of("a", "b"))).containsExactly("a");
      assertThat(one(connection, "show lock_timeout")).isEqualTo("7s");
    }
  }

  @Test
  void claimOfHundredKeysIsOneExecutionAndOneRoundTrip() throws SQLException {
    List<String> keys = java.util.stream.IntStream.range(0, 100).mapToObj(i -> "key-" + i).toList();
    try (Connection connection =
        TestDatabase.begin(database.with("socketFactory=" + CountingSockets.class.getName()))) {
      inbox.claim(connection, keys, WAIT);
      connection.rollback();
      int executions = StatementCount.of(connection, c -> inbox.claim(c, keys, WAIT));
      connection.rollback();
      CountingSockets.reset();
      assertThat(inbox.claim(connection, keys, WAIT)).hasSize(100);

      assertThat(executions).isEqualTo(1);
      assertThat(CountingSockets.roundTrips()).isEqualTo(1);
    }
  }
}
