package dev.acklast.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** Pieces of JDBC that several statements share. */
final class Sql {
  static final String LOCK_TIMEOUT = "55P03";
  static final String SERIALIZATION_FAILURE = "40001";
  static final String INSUFFICIENT_PRIVILEGE = "42501";

  private Sql() {}

  static Array texts(Connection connection, Collection<String> values) throws SQLException {
    return connection.createArrayOf("text", values.toArray());
  }

  /** The first column of what is left of {@code rows}, in its order; closes it. */
  static Set<String> firstColumn(ResultSet rows) throws SQLException {
    try (rows) {
      Set<String> values = new LinkedHashSet<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  /**
   * Runs a statement whose two parameters are a scope and an array of keys, and which returns keys.
   */
  static Set<String> keys(Connection connection, String sql, String scope, Collection<String> keys)
      throws SQLException {
    if (keys.isEmpty()) {
      return Set.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, scope);
      statement.setArray(2, texts(connection, keys));
      return firstColumn(statement.executeQuery());
    }
  }

  /** As {@link #keys}, for a statement that returns nothing. */
  static void update(Connection connection, String sql, String scope, Collection<String> keys)
      throws SQLException {
    if (keys.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, scope);
      statement.setArray(2, texts(connection, keys));
      statement.executeUpdate();
    }
  }

  /**
   * A duration as {@code lock_timeout} takes it: whole milliseconds, at least 1, since 0 is none.
   */
  static String timeout(Duration wait) {
    long milliseconds = wait.compareTo(Duration.ofDays(1)) > 0 ? 86_400_000 : wait.toMillis();
    return Long.toString(Math.max(1, milliseconds));
  }
}
