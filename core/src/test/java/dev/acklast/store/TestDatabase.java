package dev.acklast.store;

import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A database of its own on the shared server, with Acklast's tables in schema public. */
final class TestDatabase {
  final String url;
  final DataSource dataSource;
  final Tables tables = new Tables("public");
  private final PostgresServer server = Servers.sharedPostgres();

  private TestDatabase(String url) {
    this.url = url;
    this.dataSource = server.dataSourceOf(url);
  }

  static TestDatabase empty() {
    return new TestDatabase(Servers.sharedPostgres().createDatabase(Servers.uniqueName("store")));
  }

  static TestDatabase withTables() throws SQLException {
    TestDatabase database = empty();
    try (Connection connection = database.begin()) {
      Schema.prepare(connection, database.tables, true);
      connection.commit();
    }
    return database;
  }

  /** A new role that may log in, and nothing more. */
  String role() throws SQLException {
    String role = Servers.uniqueName("app");
    execute("create role " + role + " login password 'secret'");
    return role;
  }

  DataSource as(String role) {
    return server.dataSourceOf(url, role, "secret");
  }

  DataSource with(String parameters) {
    return server.dataSourceOf(url + (url.contains("?") ? "&" : "?") + parameters);
  }

  Connection begin() throws SQLException {
    return begin(dataSource);
  }

  static Connection begin(DataSource dataSource) throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      execute(connection, sql);
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  List<String> column(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return column(connection, sql);
    }
  }

  static List<String> column(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }

  static String one(Connection connection, String sql) throws SQLException {
    return column(connection, sql).get(0);
  }

  /** How many backends of this database wait for a lock at this moment. */
  long waiting() throws SQLException {
    return Long.parseLong(
        column(
                "select count(*) from pg_stat_activity where datname = current_database()"
                    + " and wait_event_type = 'Lock'")
            .get(0));
  }
}
