package dev.acklast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Everything that happens at run time, as a role that may only read and write rows. */
class LeastRightsTest {
  private static final Duration WAIT = Duration.ofMillis(100);

  @Test
  void roleWithOnlyDmlInAnotherSchemaCanDoEverything() throws SQLException {
    TestDatabase database = TestDatabase.empty();
    Tables tables = new Tables("elsewhere");
    try (Connection owner = database.begin()) {
      Schema.prepare(owner, tables, true);
      owner.commit();
    }
    String role = database.role();
    database.execute("grant usage on schema elsewhere to " + role);
    database.execute(
        "grant select, insert, update, delete on all tables in schema elsewhere to " + role);
    database.execute("revoke create on schema public from public");

    try (Connection connection = TestDatabase.begin(database.as(role))) {
      assertThat(Schema.prepare(connection, tables, true)).isEqualTo(tables);
      connection.commit();
      inbox(connection, tables);
      ledger(connection, tables);
      Probe.check(connection, tables);
      connection.rollback();
      assertThat(new Purge(tables, "sales").run(connection, Duration.ZERO, 10)).isEqualTo(2);
    }
  }

  private static void inbox(Connection connection, Tables tables) throws SQLException {
    Inbox inbox = new Inbox(tables, "sales");
    assertThat(inbox.claim(connection, List.of("a", "b"), WAIT)).hasSize(2);
    inbox.unclaim(connection, List.of("b"));
    assertThat(inbox.claimed(connection, List.of("a", "b"))).containsExactly("a");
    connection.commit();
    assertThat(inbox.busy(connection, List.of("a", "b"))).isEmpty();
    connection.rollback();
  }

  private static void ledger(Connection connection, Tables tables) throws SQLException {
    AttemptLedger ledger = new AttemptLedger(tables, "sales");
    ledger.mark(connection, List.of(new AttemptLedger.Mark("a", "run", true, 1)));
    ledger.recordFailure(connection, new AttemptLedger.Failed("b", null, null, "x"));
    ledger.delay(connection, "b", Duration.ofSeconds(1));
    ledger.markDead(connection, "c", new AttemptLedger.Death("death", "EXPIRED"), 3);
    assertThat(ledger.lock(connection, List.of("a", "b", "c"))).hasSize(3);
    assertThat(ledger.unmark(connection, Map.of("a", "run"))).containsExactly("a");
    ledger.lift(connection, Map.of("b", "run"));
    ledger.clear(connection, List.of("b"));
    assertThat(ledger.read(connection, List.of("a", "b", "c"))).containsOnlyKeys("c");
    connection.commit();
  }
}
