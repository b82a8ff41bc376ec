package dev.acklast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the keys that open transactions hold. An uncommitted claim is visible to nobody, so the
 * only way to see it is to run into it: all keys are tried at once with a very short lock timeout,
 * then the halves of whatever ran into one. Each try takes its claims back in its own round trip.
 */
final class BusyKeys {
  private static final Duration BUDGET = Duration.ofMillis(500);

  private final String scope;
  private final String attempt;

  BusyKeys(String scope, String insert) {
    this.scope = scope;
    // The first rollback clears the failure of the attempt before, the last one frees the keys.
    this.attempt =
        """
        rollback to savepoint acklast_busy;
        select set_config('lock_timeout', '2ms', true);
        %s;
        rollback to savepoint acklast_busy"""
            .formatted(insert);
  }

  Set<String> find(Connection connection, Collection<String> keys) throws SQLException {
    Set<String> busy = new LinkedHashSet<>();
    if (keys.isEmpty()) {
      return busy;
    }
    execute(connection, "savepoint acklast_busy");
    long end = System.nanoTime() + BUDGET.toNanos();
    Deque<List<String>> untried = new ArrayDeque<>(List.of(List.copyOf(keys)));
    while (!untried.isEmpty()) {
      List<String> some = untried.pop();
      if (System.nanoTime() > end) {
        busy.addAll(some);
        continue;
      }
      String state = attempt(connection, some);
      if (!state.isEmpty() && some.size() > 1) {
        untried.push(some.subList(some.size() / 2, some.size()));
        untried.push(some.subList(0, some.size() / 2));
      } else if (state.equals(Sql.LOCK_TIMEOUT)) {
        busy.addAll(some);
      }
    }
    execute(connection, "rollback to savepoint acklast_busy; release savepoint acklast_busy");
    return busy;
  }

  /** The SQLState of a conflict that {@code keys} ran into; empty if they ran into none. */
  private String attempt(Connection connection, List<String> keys) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(attempt)) {
      statement.setString(1, scope);
      statement.setArray(2, Sql.texts(connection, keys));
      statement.execute();
      return "";
    } catch (SQLException e) {
      // Under REPEATABLE READ a claim committed since the snapshot fails the statement as well.
      if (Sql.LOCK_TIMEOUT.equals(e.getSQLState())
          || Sql.SERIALIZATION_FAILURE.equals(e.getSQLState())) {
        return e.getSQLState();
      }
      throw e;
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
