package dev.acklast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Deletes what is older than the retention, a little at a time. Immutable and thread-safe. Ages are
 * by the database's clock.
 */
public final class Purge {
  private static final int MOST_ROWS = 1000;

  private final String scope;
  private final Tables tables;
  private final String claims;
  private final String attempts;

  /** Purges {@code scope} alone, since each consumer has a retention of its own. */
  public Purge(Tables tables, String scope) {
    this.scope = scope;
    this.tables = tables;
    this.claims = delete(tables.claim(), "claimed_at");
    this.attempts = delete(tables.attempt(), "updated_at");
  }

  /**
   * The inner select makes the age limit a constant that an index can look up, since the clock by
   * itself is volatile; the order makes the index on age the cheapest plan however much has
   * expired; and the array has the rows deleted by primary key, not by a scan of the whole table.
   */
  private static String delete(String table, String age) {
    return """
        delete from %1$s where scope = ? and key = any(array(
          select key from %1$s
          where scope = ? and %2$s < (select clock_timestamp() - ? * interval '1 millisecond')
          order by %2$s limit ? for update skip locked))"""
        .formatted(table, age);
  }

  /**
   * Deletes some expired claims and ledger rows. Does nothing while another transaction purges the
   * same scope.
   *
   * @param connection in a transaction of its own, which the caller commits at once
   * @param retention the age up to which nothing is deleted
   * @param limit how many claims, and how many ledger rows, to delete at most; 1 to 1000
   * @return how many rows were deleted; {@code limit} or more means that there may be more
   */
  public int run(Connection connection, Duration retention, int limit) throws SQLException {
    if (limit < 1 || limit > MOST_ROWS) {
      throw new IllegalArgumentException("limit must be 1 to " + MOST_ROWS + ", not " + limit);
    }
    if (!alone(connection)) {
      return 0;
    }
    return delete(connection, claims, retention, limit)
        + delete(connection, attempts, retention, limit);
  }

  private boolean alone(Connection connection) throws SQLException {
    String sql = "select pg_try_advisory_xact_lock(hashtextextended(?, 0))";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, "acklast purge " + tables.claim() + " " + scope);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private int delete(Connection connection, String sql, Duration retention, int limit)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, scope);
      statement.setString(2, scope);
      statement.setLong(3, retention.toMillis());
      statement.setInt(4, limit);
      return statement.executeUpdate();
    }
  }
}
