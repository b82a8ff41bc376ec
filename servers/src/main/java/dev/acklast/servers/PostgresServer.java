package dev.acklast.servers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A running PostgreSQL server, obtained from {@link Servers}.
 *
 * <p>It keeps what it commits: {@code fsync} and {@code synchronous_commit} are on, and verified
 * with {@code SHOW} at the first start, unless the settings it was asked for say otherwise.
 */
public final class PostgresServer extends Server {
  private static final Duration START_LIMIT = Duration.ofMinutes(1);

  private final PostgresEndpoint endpoint;

  PostgresServer(ServerEngine engine, PostgresEndpoint endpoint) {
    super(engine, START_LIMIT);
    this.endpoint = endpoint;
  }

  /** The maintenance database's URL, without credentials on private servers. */
  public String jdbcUrl() {
    return endpoint.jdbcUrl();
  }

  /** A role that may create databases and roles; the superuser on private servers. */
  public String user() {
    return endpoint.user();
  }

  /** The password of {@link #user()}. */
  public String password() {
    return endpoint.password();
  }

  /** The TCP port, 1 to 65535; the same after every restart. */
  public int port() {
    return endpoint.port();
  }

  /** The maintenance database as {@link #user()}, one new connection per call, no pool. */
  public DataSource dataSource() {
    return dataSourceOf(jdbcUrl());
  }

  /** The maintenance database as another role, one new connection per call, no pool. */
  public DataSource dataSource(String user, String password) {
    return dataSourceOf(jdbcUrl(), user, password);
  }

  /** Any URL, such as one of {@link #createDatabase}, as {@link #user()}. */
  public DataSource dataSourceOf(String url) {
    return dataSourceOf(url, user(), password());
  }

  /** Any URL as any role, one new connection per call, no pool. */
  public DataSource dataSourceOf(String url, String user, String password) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(url);
    source.setUser(user);
    source.setPassword(password);
    return source;
  }

  /**
   * Creates an empty database, so that tests do not see each other.
   *
   * @param name a lower-case identifier of at most 63 characters, as {@link Servers#uniqueName}
   *     makes them
   * @return its JDBC URL, without credentials on private servers
   * @throws IllegalArgumentException if the name is no such identifier
   * @throws IllegalStateException if the server refuses, because the database exists, for one
   */
  public String createDatabase(String name) {
    if (!name.matches("[a-z_][a-z0-9_]{0,62}")) {
      throw new IllegalArgumentException(
          "A database's name must be lower-case letters, digits and _, at most 63: " + name);
    }
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("Database " + name + " was not created", e);
    }
    return endpoint.urlOf(name);
  }

  /** Starts and then holds the server to its durability. */
  PostgresServer started(Map<String, String> settings) {
    startOrClose(
        () -> {
          verify("fsync", settings);
          verify("synchronous_commit", settings);
        });
    return this;
  }

  private void verify(String setting, Map<String, String> settings) {
    String wanted = settings.getOrDefault(setting, "on");
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("show " + setting)) {
      rows.next();
      String actual = rows.getString(1);
      if (!actual.equals(wanted)) {
        throw new IllegalStateException(
            this + " has " + setting + "=" + actual + "; it must be " + wanted);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(this + " does not show its settings", e);
    }
  }

  @Override
  void answers() throws SQLException {
    PGSimpleDataSource source = (PGSimpleDataSource) dataSource();
    source.setLoginTimeout(5);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("select 1");
    }
  }
}
