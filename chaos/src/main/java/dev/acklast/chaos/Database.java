package dev.acklast.chaos;

import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.servers.TcpProxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The run's PostgreSQL: its tables, the workers' role, and a link for each worker. */
final class Database implements AutoCloseable {
  private static final String FOLDER = "acklast.servers.folder";

  /** The workers' role: it may read and write, and nothing else. */
  static final String ROLE = "chaos_worker";

  private static final String NAME = "chaos";

  /** Few connections, so that they can run out; and deadlocks are soon found. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "max_connections", "60",
          "deadlock_timeout", "200ms",
          "max_wal_size", "128MB",
          "min_wal_size", "64MB",
          "wal_recycle", "off");

  private final PostgresServer server;
  private final String url;
  private final String password = UUID.randomUUID().toString();
  private final List<TcpProxy> links = new ArrayList<>();

  private Database(PostgresServer server) {
    this.server = server;
    this.url = server.createDatabase(NAME);
    for (int worker = 0; worker < Crew.MOST; worker++) {
      links.add(TcpProxy.to("127.0.0.1", server.port()));
    }
  }

  /**
   * Starts it, and makes all tables.
   *
   * @param disk where its data shall be; null for the usual place
   */
  static Database start(@Nullable Path disk) {
    String before = System.getProperty(FOLDER);
    if (disk != null) {
      System.setProperty(FOLDER, disk.toString());
    }
    try {
      PostgresServer server = Servers.postgres(SETTINGS);
      Database database = new Database(server);
      database.prepare();
      return database;
    } finally {
      if (before != null) {
        System.setProperty(FOLDER, before);
      } else {
        System.clearProperty(FOLDER);
      }
    }
  }

  private void prepare() {
    Tables.create(dataSource());
    Jdbi.create(dataSource())
        .useHandle(
            handle -> {
              handle.execute("create role " + ROLE + " login password '" + password + "'");
              handle.execute(
                  "grant select, insert, update, delete on all tables in schema public to " + ROLE);
            });
  }

  PostgresServer server() {
    return server;
  }

  /** As the superuser, past all proxies. */
  DataSource dataSource() {
    return server.dataSourceOf(url);
  }

  /** As the workers' role, past all proxies. */
  DataSource asWorker() {
    return server.dataSourceOf(url, ROLE, password);
  }

  void execute(String sql, Object... arguments) {
    Jdbi.create(dataSource()).useHandle(handle -> handle.execute(sql, arguments));
  }

  /** Ends all sessions of the workers. */
  int endSessions() {
    return Jdbi.create(dataSource())
        .withHandle(
            handle ->
                handle
                    .select(
                        "select count(pg_terminate_backend(pid))::int from pg_stat_activity"
                            + " where usename = ?",
                        ROLE)
                    .mapTo(Integer.class)
                    .one());
  }

  long effects() {
    return Jdbi.create(dataSource())
        .withHandle(handle -> handle.select("select count(*) from effect").mapTo(Long.class).one());
  }

  List<TcpProxy> links() {
    return List.copyOf(links);
  }

  /** How a worker finds it, as environment variables. */
  Map<String, String> addresses(int worker) {
    return Map.of(
        Worker.DATABASE_URL,
        links.get(worker).through(url) + "?socketTimeout=8&connectTimeout=4&tcpKeepAlive=true",
        Worker.DATABASE_USER,
        ROLE,
        Worker.DATABASE_PASSWORD,
        password);
  }

  @Override
  public void close() {
    links.forEach(TcpProxy::close);
    server.close();
  }
}
