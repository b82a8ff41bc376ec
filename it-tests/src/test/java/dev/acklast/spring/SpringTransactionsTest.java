package dev.acklast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.servers.Servers;
import dev.acklast.spi.Transactions.Outcome;
import dev.acklast.spi.Transactions.Transaction;
import dev.acklast.store.Inbox;
import dev.acklast.store.Schema;
import dev.acklast.store.Tables;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

class SpringTransactionsTest {
  private final Tables tables = new Tables("public");
  private final Inbox inbox = new Inbox(tables, "commissions");
  private DataSource direct;
  private HikariDataSource pool;
  private AnnotationConfigApplicationContext application;
  private SpringTransactions transactions;
  private Commissions commissions;

  @BeforeEach
  void startApplication() throws SQLException {
    direct =
        Servers.sharedPostgres()
            .dataSourceOf(Servers.sharedPostgres().createDatabase(Servers.uniqueName("spring")));
    try (Connection connection = direct.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      Schema.prepare(connection, tables, true);
      statement.execute(
          "create table commission (sale_id text primary key, seller text,"
              + " unique (seller) deferrable initially deferred)");
      connection.commit();
    }
    pool = new HikariDataSource();
    pool.setDataSource(direct);
    pool.setMaximumPoolSize(2);
    application = new AnnotationConfigApplicationContext();
    application.registerBean(DataSource.class, () -> pool);
    application.register(ShopConfiguration.class);
    application.refresh();
    transactions = application.getBean(SpringTransactions.class);
    commissions = application.getBean(Commissions.class);
  }

  @AfterEach
  void closeApplication() {
    assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    application.close();
    pool.close();
  }

  @Test
  void repositoryAndClaimShareOneTransaction() throws SQLException {
    Outcome<String> outcome =
        transactions.run(
            tx -> {
              claim(tx, "sale-1");
              commissions.add("sale-1", "ann");
              tx.flush();
              return one(tx.connection(), "select pg_current_xact_id()::xid");
            });

    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
    String id = ((Outcome.Committed<String>) outcome).value();
    assertThat(column("select xmin from acklast_claim union all select xmin from commission"))
        .containsExactly(id, id);
  }

  @Test
  void exceptionRollsBackBoth() throws SQLException {
    IllegalStateException business = new IllegalStateException("business");
    Outcome<Object> outcome =
        transactions.run(
            tx -> {
              claim(tx, "sale-1");
              commissions.add("sale-1", "ann");
              tx.flush();
              throw business;
            });

    assertThat(outcome).isEqualTo(new Outcome.RolledBack<>(business));
    assertNothingCommitted();
  }

  @Test
  void exceptionThatTheHandlerSwallowedRollsBackBothAllTheSame() throws SQLException {
    Outcome<Object> outcome =
        transactions.run(
            tx -> {
              claim(tx, "sale-1");
              try {
                commissions.refuse("no");
              } catch (IllegalStateException swallowed) {
                return "as if nothing had happened";
              }
              throw new AssertionError();
            });

    assertThat(outcome).isInstanceOf(Outcome.RolledBack.class);
    assertNothingCommitted();
  }

  @Test
  void flushAttributesAViolationToTheMessageThatCausedIt() throws SQLException {
    execute("insert into commission values ('sale-2', 'bob')");
    List<String> failed = new ArrayList<>();
    Outcome<Object> outcome =
        transactions.run(
            tx -> {
              for (String sale : List.of("sale-1", "sale-2", "sale-3")) {
                commissions.add(sale, "seller of " + sale);
                try {
                  tx.flush();
                } catch (RuntimeException e) {
                  failed.add(sale);
                  throw e;
                }
              }
              return "done";
            });

    assertThat(failed).containsExactly("sale-2");
    assertThat(outcome).isInstanceOf(Outcome.RolledBack.class);
    assertThat(column("select sale_id from commission")).containsExactly("sale-2");
  }

  @Test
  void whatNobodyFlushedStillRollsBackSurely() throws SQLException {
    execute("insert into commission values ('sale-1', 'bob')");
    assertThat(
            transactions.run(
                tx -> {
                  claim(tx, "sale-1");
                  commissions.add("sale-1", "ann");
                  return "done";
                }))
        .isInstanceOf(Outcome.RolledBack.class);
    assertThat(column("select key from acklast_claim")).isEmpty();
  }

  @Test
  void constraintThatFailsTheCommitIsRolledBack() throws SQLException {
    execute("insert into commission values ('sale-1', 'bob')");
    assertThat(
            transactions.run(
                tx -> {
                  claim(tx, "sale-2");
                  commissions.add("sale-2", "bob");
                  return "done";
                }))
        .isInstanceOf(Outcome.RolledBack.class);
    assertThat(column("select key from acklast_claim")).isEmpty();
  }

  @Test
  void backendEndedBeforeTheCommitIsRolledBack() throws SQLException {
    Outcome<Object> outcome =
        transactions.run(
            tx -> {
              claim(tx, "sale-1");
              execute(
                  "select pg_terminate_backend("
                      + one(tx.connection(), "select pg_backend_pid()")
                      + ", 5000)");
              return "done";
            });
    assertThat(outcome).isInstanceOf(Outcome.RolledBack.class);
    assertNothingCommitted();
  }

  @Test
  void backendEndedInTheCommitIsUnknown() throws SQLException {
    execute(
        "create function die() returns trigger language plpgsql as"
            + " $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$");
    execute(
        "create constraint trigger die after insert on commission deferrable initially deferred"
            + " for each row execute function die()");
    Outcome<Object> outcome =
        transactions.run(
            tx -> {
              claim(tx, "sale-1");
              commissions.add("sale-1", "ann");
              return "done";
            });
    assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
    assertNothingCommitted();
  }

  @Test
  void failedStatementThatTheHandlerSwallowedIsNotCommitted() throws SQLException {
    Outcome<Object> outcome =
        transactions.run(
            tx -> {
              claim(tx, "sale-1");
              try {
                one(tx.connection(), "select 1/0");
              } catch (SQLException swallowed) {
                return "as if nothing had happened";
              }
              throw new AssertionError();
            });
    assertThat(outcome).isInstanceOf(Outcome.RolledBack.class);
    assertNothingCommitted();
  }

  @Test
  void noConnectionIsNotBegun() {
    pool.close();
    assertThat(transactions.run(tx -> "ran")).isInstanceOf(Outcome.NotBegun.class);
  }

  @Test
  void connectionIsNotInAutoCommitMode() {
    assertThat(transactions.run(tx -> tx.connection().getAutoCommit()))
        .isEqualTo(new Outcome.Committed<>(false));
  }

  private void claim(Transaction tx, String key) throws SQLException {
    assertThat(inbox.claim(tx.connection(), List.of(key), Duration.ofMillis(100)))
        .containsExactly(key);
  }

  private void assertNothingCommitted() throws SQLException {
    assertThat(column("select key from acklast_claim union all select sale_id from commission"))
        .isEmpty();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = direct.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> column(String sql) throws SQLException {
    try (Connection connection = direct.getConnection()) {
      return column(connection, sql);
    }
  }

  private static String one(Connection connection, String sql) throws SQLException {
    return column(connection, sql).get(0);
  }

  private static List<String> column(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    }
  }
}
