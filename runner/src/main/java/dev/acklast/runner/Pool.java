package dev.acklast.runner;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The connection pool of all consumers of a file. */
final class Pool {
  private static final long LONGEST_WAIT_MILLIS = 10_000;
  private static final int LOGIN_SECONDS = 10;

  private Pool() {}

  /** A pool that connects when it is first asked for a connection, and not before. */
  static HikariDataSource of(DatabaseConfig config) {
    // The constructor without arguments is the one that does not connect.
    HikariDataSource pool = new HikariDataSource();
    pool.setPoolName("acklast");
    pool.setJdbcUrl(config.url());
    pool.setUsername(config.user());
    pool.setPassword(config.password());
    pool.setMaximumPoolSize(config.poolSize());
    pool.setConnectionTimeout(LONGEST_WAIT_MILLIS);
    // A database that is away is waited for; the start must not fail on it.
    pool.setInitializationFailTimeout(-1);
    pool.addDataSourceProperty("ApplicationName", "acklast");
    pool.addDataSourceProperty("tcpKeepAlive", "true");
    // Details and batch texts of the server's errors quote values.
    pool.addDataSourceProperty("logServerErrorDetail", "false");
    return pool;
  }

  /** One new connection for each call, which fails at once if it cannot be had. */
  static DataSource unpooled(DatabaseConfig config) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(config.url());
    if (config.user() != null) {
      source.setUser(config.user());
    }
    if (config.password() != null) {
      source.setPassword(config.password());
    }
    source.setApplicationName("acklast");
    source.setLoginTimeout(LOGIN_SECONDS);
    source.setLogServerErrorDetail(false);
    return source;
  }
}
