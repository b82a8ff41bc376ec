package dev.acklast.it;

import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.testkit.contract.DatabaseAddress;
import dev.acklast.testkit.contract.DatabaseHarness;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * Binds the contract to this JVM's PostgreSQL server. One database serves all cases, emptied
 * between them: to make one copies 300 files, and to drop it makes the server write all it has.
 */
public final class PostgresHarness implements DatabaseHarness {
  private static final String EMPTY =
      """
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid();
      do $$ declare name text; begin
        for name in select nspname from pg_namespace
          where nspname !~ '^pg_' and nspname <> 'information_schema'
        loop execute format('drop schema %I cascade', name); end loop;
      end $$;
      create schema public;
      """;

  private final PostgresServer server = Servers.sharedPostgres();
  private final String name = Servers.uniqueName("contract");
  private @Nullable String url;

  @Override
  public DatabaseAddress create() {
    if (url == null) {
      url = server.createDatabase(name);
    }
    Properties parts = Objects.requireNonNull(Driver.parseURL(url, null));
    return new DatabaseAddress(
        parts.getProperty("PGHOST"), server.port(), name, server.user(), server.password());
  }

  @Override
  public void drop(DatabaseAddress database) {
    server.start();
    execute(server.dataSourceOf(Objects.requireNonNull(url)), EMPTY);
    execute(server.dataSource(), "alter database " + name + " reset all");
  }

  private static void execute(DataSource database, String sql) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** A server of the user's is left as it was. */
  @Override
  public void close() {
    execute(server.dataSource(), "drop database if exists " + name + " with (force)");
    url = null;
  }

  @Override
  public boolean canRestart() {
    return server.canRestart();
  }

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public void start() {
    server.start();
  }
}
