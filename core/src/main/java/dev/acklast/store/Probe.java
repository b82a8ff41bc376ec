package dev.acklast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** Asks whether the database can do a consumer's work at this moment. */
public final class Probe {
  /** No consumer can have this scope's claims in its way: they are never committed. */
  private static final String SCOPE = "acklast:probe";

  private Probe() {}

  /**
   * Returns if a claim can be written now. A server in recovery refuses the write itself.
   *
   * @param connection in a transaction of its own, which the caller rolls back
   * @throws SQLException whatever stands in the way; SQLState 25006 if transactions are read-only
   */
  public static void check(Connection connection, Tables tables) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean")) {
      if (row.next() && row.getBoolean(1)) {
        throw new SQLException("the database takes no writes: standby or read-only", "25006");
      }
    }
    String key = UUID.randomUUID().toString();
    write(connection, "insert into " + tables.claim() + " (scope, key) values (?, ?)", key);
    write(connection, "delete from " + tables.claim() + " where scope = ? and key = ?", key);
  }

  private static void write(Connection connection, String sql, String key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, SCOPE);
      statement.setString(2, key);
      statement.executeUpdate();
    }
  }
}
