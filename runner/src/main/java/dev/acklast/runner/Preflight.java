package dev.acklast.runner;

import dev.acklast.spi.RefusedException;
import dev.acklast.store.Schema;
import dev.acklast.store.Tables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Looks at the database before anything is consumed, so that a wrong password or a mistyped column
 * stops the start, instead of sending every message to the dead-letter queue.
 */
final class Preflight {
  /** Undetermined or ambiguous types: the values' own types may settle them. */
  private static final Set<String> TYPE_DEPENDENT = Set.of("42P18", "42725", "42P38");

  private final DatabaseConfig config;
  private final DataSource dataSource;

  Preflight(DatabaseConfig config, DataSource dataSource) {
    this.config = config;
    this.dataSource = dataSource;
  }

  /**
   * Whether the failure lies in the configuration: credentials, or a database that is not there.
   */
  static boolean isRefusal(SQLException failure) {
    String state = failure.getSQLState();
    return state != null && (state.startsWith("28") || state.startsWith("3D"));
  }

  /**
   * Has the server parse all effects and, if asked, look at Acklast's tables; changes nothing.
   *
   * @return what is wrong, a sentence each; empty if nothing is
   * @throws SQLException if the database cannot be reached or refuses us
   */
  List<String> findings(List<ConsumerConfig> consumers, boolean withTables) throws SQLException {
    List<String> findings = new ArrayList<>();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        if (withTables) {
          tables(connection, findings);
        }
        for (ConsumerConfig consumer : consumers) {
          effect(connection, consumer, findings);
        }
      } finally {
        connection.rollback();
      }
    }
    return findings;
  }

  private void tables(Connection connection, List<String> findings) throws SQLException {
    try {
      Schema.prepare(connection, new Tables(config.schema()), config.createTables());
    } catch (RefusedException e) {
      findings.add(e.getMessage());
    }
    connection.rollback();
  }

  private static void effect(Connection connection, ConsumerConfig consumer, List<String> findings)
      throws SQLException {
    int number = 0;
    for (SqlStatement statement : consumer.statements()) {
      number++;
      try (PreparedStatement target = connection.prepareStatement(statement.jdbc())) {
        target.getParameterMetaData();
      } catch (SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (state.startsWith("42") && !TYPE_DEPENDENT.contains(state)) {
          findings.add(
              "consumers."
                  + consumer.name()
                  + ".effect: statement "
                  + number
                  + " cannot work: "
                  + SqlFailure.describe(e));
        } else if (!TYPE_DEPENDENT.contains(state)) {
          throw e;
        }
        connection.rollback();
      }
    }
  }
}
