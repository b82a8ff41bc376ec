package dev.acklast.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** PostgreSQL as a container. */
final class DockerPostgres {
  private static final String IMAGE = "postgres:18.1";
  private static final int PORT = 5432;

  private DockerPostgres() {}

  /** A new, empty server; not started yet. */
  static PostgresServer create(Map<String, String> settings) {
    int port = FreePort.next();
    String password = Passwords.random();
    List<String> command = new ArrayList<>(List.of("postgres"));
    settings.forEach((key, value) -> command.addAll(List.of("-c", key + "=" + value)));
    PostgreSQLContainer container =
        new PostgreSQLContainer(IMAGE)
            .withDatabaseName("postgres")
            .withUsername("postgres")
            .withPassword(password)
            .withCommand(command.toArray(String[]::new));
    container.setPortBindings(List.of(DockerEngine.binding(port, PORT)));
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    return new PostgresServer(
        new DockerEngine(container, "PostgreSQL, container " + IMAGE + " on 127.0.0.1:" + port),
        new PostgresEndpoint(url, "postgres", password));
  }
}
