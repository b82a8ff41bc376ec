package dev.acklast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A transaction pooler gives the next transaction to another client: nothing may stay behind. */
class SessionStateTest {
  private static final String SETTINGS =
      "select name || '=' || setting from pg_settings where source = 'session'"
          + " and name <> 'transaction_isolation' order by name";
  private static final String LOCKS =
      "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()";

  @Test
  void nothingOfATransactionStaysInItsSession() throws SQLException {
    TestDatabase database = TestDatabase.withTables();
    Tables tables = database.tables;
    Inbox inbox = new Inbox(tables, "sales");
    DataSource repeatable =
        database.with("options=-c%20default_transaction_isolation=repeatable%5C%20read");
    try (Connection connection = TestDatabase.begin(repeatable);
        Connection holder = database.begin()) {
      List<String> before = TestDatabase.column(connection, SETTINGS);
      connection.commit();
      inbox.claim(holder, List.of("held"), Duration.ofMillis(100));

      Schema.prepare(connection, tables, true);
      connection.commit();
      inbox.claim(connection, List.of("a"), Duration.ofMillis(100));
      connection.commit();
      inbox.busy(connection, List.of("a", "held"));
      connection.rollback();
      new Purge(tables, "sales").run(connection, Duration.ZERO, 10);
      connection.commit();

      assertThat(TestDatabase.column(connection, SETTINGS)).isEqualTo(before);
      assertThat(TestDatabase.one(connection, LOCKS)).isEqualTo("0");
      assertThat(TestDatabase.one(connection, "show transaction_isolation"))
          .as("as every new transaction of the session begins")
          .isEqualTo("repeatable read");
    }
  }
}
