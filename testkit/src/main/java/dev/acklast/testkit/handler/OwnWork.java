package dev.acklast.testkit.handler;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** What the tester does in the user's database for itself. */
@FunctionalInterface
interface OwnWork<R> {
  R on(Statement statement) throws SQLException;

  /**
   * Does it and commits. A pool may hand out a connection that was in use by a process when that
   * died, without a look at it: then the next one is tried.
   */
  static <R> R in(DataSource database, OwnWork<R> work) throws SQLException {
    for (int tries = 1; ; tries++) {
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        R result = work.on(statement);
        if (!connection.getAutoCommit()) {
          connection.commit();
        }
        return result;
      } catch (SQLException e) {
        boolean dead = e.getSQLState() != null && e.getSQLState().startsWith("08");
        if (!dead || tries == 20) {
          throw e;
        }
      }
    }
  }
}
