package dev.acklast.testkit.contract;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One case's database: the effect table without a unique key, so that a doubled effect shows as two
 * rows; pools for consumers; and a way past them for the case's own questions.
 */
final class TestDatabase implements AutoCloseable {
  private static final String OWN_SESSIONS = "acklast contract";
  private static final int POOL_SIZE = 24;

  private final DatabaseAddress address;
  private final PGSimpleDataSource direct = new PGSimpleDataSource();
  private final List<AutoCloseable> opened = new ArrayList<>();

  TestDatabase(DatabaseAddress address) {
    this.address = address;
    direct.setUrl(address.url());
    direct.setUser(address.user());
    direct.setPassword(address.password());
    direct.setApplicationName(OWN_SESSIONS);
    execute("create table effect(id text not null, n int not null)");
  }

  DatabaseAddress address() {
    return address;
  }

  /** A pool that is large enough for the consumers of one case together. */
  DataSource pool() {
    return pool(POOL_SIZE);
  }

  HikariDataSource pool(int size) {
    return pool(address.url(), address.user(), address.password(), size);
  }

  DataSource pool(PostgresProxy proxy) {
    return pool(proxy.url(), address.user(), address.password(), POOL_SIZE);
  }

  HikariDataSource pool(String url, String user, String password, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(2000);
    config.setInitializationFailTimeout(-1);
    return closing(new HikariDataSource(config));
  }

  PostgresProxy proxy() {
    return closing(new PostgresProxy(address));
  }

  private <C extends AutoCloseable> C closing(C resource) {
    opened.add(resource);
    return resource;
  }

  /** The fixture's handler: one row for each run that commits. */
  static void insertEffect(Handle handle, String id, int n) {
    handle.execute("insert into effect(id, n) values (?, ?)", id, n);
  }

  /** How many effect rows there are in all. */
  int effects() {
    return number("select count(*) from effect");
  }

  /** How many distinct messages took effect. */
  int distinctEffects() {
    return number("select count(distinct id) from effect");
  }

  int effects(String id) {
    return number("select count(*) from effect where id = ?", id);
  }

  int claims() {
    return number("select count(*) from acklast_claim");
  }

  /** How many messages the attempt ledger still knows as alive. */
  int liveLedgerRows() {
    return number("select count(*) from acklast_attempt where dead_at is null");
  }

  int ledgerRows() {
    return number("select count(*) from acklast_attempt");
  }

  int number(String sql, Object... parameters) {
    return Integer.parseInt(text(sql, parameters));
  }

  /** The first column of the one row. */
  String text(String sql, Object... parameters) {
    try (Connection connection = open();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getString(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  void execute(String sql) {
    try (Connection connection = open();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Opens a session, whole: {@link #terminateBackends} never meets one without its name. */
  private synchronized Connection open() throws SQLException {
    return direct.getConnection();
  }

  /** A connection of the case's own, not in auto-commit mode. */
  Connection connect() {
    try {
      Connection connection = open();
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sets the isolation level that new sessions begin their transactions with. */
  void isolation(String level) {
    execute(
        "alter database "
            + address.database()
            + " set default_transaction_isolation = '"
            + level
            + "'");
  }

  /**
   * Ends all sessions on this database but the case's own, of which another one may be asking. A
   * session gets its name only after it has begun, hence the lock that this and opening one share.
   */
  synchronized void terminateBackends() {
    text(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity"
            + " where datname = current_database() and application_name <> ?",
        OWN_SESSIONS);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable resource : opened) {
      resource.close();
    }
  }
}
