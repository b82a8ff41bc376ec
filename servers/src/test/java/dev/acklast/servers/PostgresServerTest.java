package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresServerTest {
  private static PostgresServer server;
  private DataSource database;

  @BeforeAll
  static void startServer() {
    server = Servers.postgres(Map.of("max_connections", "30"));
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @BeforeEach
  void createDatabase() {
    server.start();
    database = server.dataSourceOf(server.createDatabase(Servers.uniqueName("server_test")));
  }

  @Test
  void runsDurablyAndWithTheSettingsItWasGiven() throws SQLException {
    assertThat(query("show fsync")).isEqualTo("on");
    assertThat(query("show synchronous_commit")).isEqualTo("on");
    assertThat(query("show full_page_writes")).isEqualTo("on");
    assertThat(query("show max_connections")).isEqualTo("30");
    assertThat(query("show server_encoding")).isEqualTo("UTF8");
  }

  @Test
  void keepsWhatItCommittedOverAKill() throws SQLException {
    int port = server.port();
    execute("create table sale(id int)");
    execute("insert into sale values (7)");

    server.kill();
    assertThat(server.isRunning()).isFalse();
    assertThatThrownBy(() -> query("select 1")).isInstanceOf(SQLException.class);
    server.start();

    assertThat(server.port()).isEqualTo(port);
    assertThat(query("select id from sale")).isEqualTo("7");
  }

  @Test
  void comesBackFromKillsInQuickSuccession() throws SQLException {
    execute("create table sale(id int)");
    for (int i = 1; i <= 3; i++) {
      execute("insert into sale values (1)");
      server.kill();
      server.start();
      assertThat(query("select count(*) from sale")).isEqualTo(Integer.toString(i));
    }
  }

  @Test
  void restartsInOrder() throws SQLException {
    execute("create table sale(id int)");
    server.restart();
    assertThat(query("select count(*) from sale")).isEqualTo("0");
  }

  @Test
  void answersNothingWhileItIsFrozen() throws SQLException {
    PGSimpleDataSource impatient = (PGSimpleDataSource) database;
    impatient.setSocketTimeout(1);
    try (Connection connection = impatient.getConnection();
        Statement statement = connection.createStatement()) {
      server.freeze();
      assertThatThrownBy(() -> statement.execute("select 1")).isInstanceOf(SQLException.class);
    } finally {
      server.thaw();
    }
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(query("select 1")).isEqualTo("1"));
  }

  @Test
  void canBeKilledWhileItIsFrozen() throws SQLException {
    server.freeze();
    server.kill();
    server.start();
    assertThat(query("select 1")).isEqualTo("1");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void leavesNoSharedMemoryBehindWhenItIsKilled() throws SQLException, IOException {
    PostgresServer other = Servers.postgres(Map.of());
    database = other.dataSource();
    assertThat(query("show dynamic_shared_memory_type")).isEqualTo("mmap");
    String segment = Segments.of(Path.of(query("show data_directory")));
    assertThat(Segments.all()).contains(segment);
    other.kill();
    other.close();
    assertThat(Segments.all()).doesNotContain(segment);
  }

  @Test
  void checksPasswords() throws SQLException {
    server.createDatabase(Servers.uniqueName("other"));
    try (Connection connection = server.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create role clerk login password 'right'");
    }
    try (Connection connection = server.dataSource("clerk", "right").getConnection()) {
      assertThat(connection.isValid(5)).isTrue();
    }
    assertThatThrownBy(() -> server.dataSource("clerk", "wrong").getConnection())
        .isInstanceOf(SQLException.class)
        .hasMessageNotContaining("wrong");
  }

  @Test
  void refusesDatabaseNamesThatAreNoPlainIdentifiers() {
    assertThatThrownBy(() -> server.createDatabase("x; drop table sale"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lower-case letters");
  }

  @Test
  void showsTheEndOfTheLogWhenItDoesNotStart() {
    assertThatThrownBy(() -> Servers.postgres(Map.of("no_such_setting", "1")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended while it was starting")
        .hasMessageContaining("no_such_setting");
  }

  @Test
  void runsAsNobodyWhereNamespacesAreForbidden() throws SQLException {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root needs to become nobody");
    try (PostgresServer other = NativePostgres.create(Map.of(), UnprivilegedUser.nobody())) {
      other.start();
      other.kill();
      other.start();
      assertThat(other.dataSource().getConnection().isValid(5)).isTrue();
    }
  }

  private String query(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
