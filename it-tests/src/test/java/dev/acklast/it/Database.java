package dev.acklast.it;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.servers.TcpProxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;

/**
 * One test's database: the effect table without a unique key, so that a doubled effect shows as two
 * rows; pools for consumers; and a way past them for the test's own questions.
 */
final class Database implements AutoCloseable {
  static final int POOL_SIZE = 16;

  final PostgresServer server;
  final String url;
  private final Jdbi jdbi;
  private final List<AutoCloseable> opened = new ArrayList<>();

  Database(PostgresServer server) {
    this.server = server;
    this.url = server.createDatabase(Servers.uniqueName("e2e"));
    this.jdbi = Jdbi.create(direct());
    execute("create table effect(id text not null, n int not null, place bigserial)");
  }

  /** A new connection each time. */
  DataSource direct() {
    return server.dataSourceOf(url);
  }

  HikariDataSource pool() {
    return pool(POOL_SIZE);
  }

  HikariDataSource pool(int size) {
    return pool(direct(), size);
  }

  /** A pool whose connections lead through a proxy. */
  HikariDataSource pool(TcpProxy proxy, int size) {
    return pool(server.dataSourceOf(proxy.through(url)), size);
  }

  HikariDataSource pool(DataSource source, int size) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(2000);
    config.setInitializationFailTimeout(-1);
    HikariDataSource pool = new HikariDataSource(config);
    opened.add(pool);
    return pool;
  }

  TcpProxy proxy() {
    TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
    opened.add(proxy);
    return proxy;
  }

  int effects() {
    return number("select count(*) from effect");
  }

  int distinctEffects() {
    return number("select count(distinct id) from effect");
  }

  int effects(String id) {
    return number("select count(*) from effect where id = ?", id);
  }

  int claims() {
    return number("select count(*) from acklast_claim");
  }

  int number(String sql, Object... parameters) {
    return jdbi.withHandle(
        handle -> handle.select(sql, parameters).mapTo(Integer.class).findOne().orElse(0));
  }

  List<String> column(String sql, Object... parameters) {
    return jdbi.withHandle(handle -> handle.select(sql, parameters).mapTo(String.class).list());
  }

  void execute(String sql, Object... parameters) {
    jdbi.useHandle(handle -> handle.execute(sql, parameters));
  }

  /** A connection of the test's own, in a transaction. */
  Connection begin() throws java.sql.SQLException {
    Connection connection = direct().getConnection();
    opened.add(connection);
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }
}
