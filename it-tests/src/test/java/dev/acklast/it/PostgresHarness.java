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
import org.postgresql.Driver;

/** Binds the contract to this JVM's PostgreSQL server. */
final class PostgresHarness implements DatabaseHarness {
  private final PostgresServer server = Servers.sharedPostgres();

  @Override
  public DatabaseAddress create() {
    String name = Servers.uniqueName("contract");
    Properties parts = Objects.requireNonNull(Driver.parseURL(server.createDatabase(name), null));
    return new DatabaseAddress(
        parts.getProperty("PGHOST"), server.port(), name, server.user(), server.password());
  }

  @Override
  public void drop(DatabaseAddress database) {
    server.start();
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("drop database if exists " + database.database() + " with (force)");
    } catch (SQLException e) {
      throw new IllegalStateException(database + " was not dropped", e);
    }
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
