package dev.acklast.examples.adapter;

import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.testkit.contract.DatabaseAddress;
import dev.acklast.testkit.contract.DatabaseHarness;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Databases for the cases, on one PostgreSQL server. */
final class OwnDatabases implements DatabaseHarness {
  private final PostgresServer server = Servers.sharedPostgres();

  @Override
  public DatabaseAddress create() {
    String name = Servers.uniqueName("own");
    URI uri = URI.create(server.createDatabase(name).substring("jdbc:".length()));
    return new DatabaseAddress(
        uri.getHost(), server.port(), name, server.user(), server.password());
  }

  @Override
  public void drop(DatabaseAddress database) {
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
