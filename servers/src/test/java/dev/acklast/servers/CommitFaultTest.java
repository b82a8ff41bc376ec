package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The three ways pgjdbc can send a COMMIT, at a connection's first one and at later ones. */
class CommitFaultTest {
  private static final String CASES =
      """
      preferQueryMode=extended, 0
      preferQueryMode=extended, 8
      prepareThreshold=0,       8
      preferQueryMode=simple,   0
      preferQueryMode=simple,   8
      """;

  private final PostgresServer server = Servers.sharedPostgres();
  private final String url = server.createDatabase(Servers.uniqueName("commit_fault"));
  private TcpProxy proxy;

  @BeforeEach
  void createTable() throws SQLException {
    proxy = TcpProxy.to("127.0.0.1", server.port());
    try (Connection connection = server.dataSourceOf(url).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create table sale(id int)");
    }
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  @ParameterizedTest
  @CsvSource(textBlock = CASES)
  void losesTheCommitBeforeTheServerSeesIt(String mode, int earlier) throws SQLException {
    assertThat(soldAfterFault(RequestFault.CUT_BEFORE, mode, earlier)).isEqualTo(earlier);
  }

  @ParameterizedTest
  @CsvSource(textBlock = CASES)
  void losesTheAnswerAfterTheServerCommitted(String mode, int earlier) throws SQLException {
    assertThat(soldAfterFault(RequestFault.CUT_BEFORE_ANSWER, mode, earlier))
        .isEqualTo(earlier + 1);
  }

  @ParameterizedTest
  @CsvSource(textBlock = CASES)
  void runsAnActionBeforeTheCommitIsForwarded(String mode, int earlier) throws SQLException {
    try (Connection connection = source(mode).getConnection()) {
      connection.setAutoCommit(false);
      sellAndCommit(connection, earlier);
      sell(connection);
      CompletableFuture<Void> done = proxy.onCommit(() -> assertThat(sold()).isEqualTo(earlier));
      connection.commit();
      assertThat(done).succeedsWithin(Duration.ofSeconds(5));
      assertThat(sold()).isEqualTo(earlier + 1);
    }
  }

  private int soldAfterFault(RequestFault fault, String mode, int earlier) throws SQLException {
    try (Connection connection = source(mode).getConnection()) {
      connection.setAutoCommit(false);
      sellAndCommit(connection, earlier);
      CompletableFuture<Void> done = proxy.onCommit(fault);
      sell(connection);
      assertThat(done).isNotDone();
      assertThatThrownBy(connection::commit)
          .isInstanceOf(SQLException.class)
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("08006");
      assertThat(done).succeedsWithin(Duration.ofSeconds(5));
    }
    return sold();
  }

  private DataSource source(String mode) {
    return server.dataSourceOf(proxy.through(url) + "?" + mode);
  }

  private static void sellAndCommit(Connection connection, int times) throws SQLException {
    for (int i = 0; i < times; i++) {
      sell(connection);
      connection.commit();
    }
  }

  private static void sell(Connection connection) throws SQLException {
    try (var statement = connection.prepareStatement("insert into sale values (?)")) {
      statement.setInt(1, 1);
      statement.execute();
    }
  }

  private int sold() {
    try (Connection connection = server.dataSourceOf(url).getConnection();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("select count(*) from sale")) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
