package dev.acklast.store;

import static dev.acklast.store.TestDatabase.execute;
import static dev.acklast.store.TestDatabase.one;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.spi.Transactions;
import dev.acklast.spi.Transactions.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcTransactionsTest {
  private TestDatabase database;
  private HikariDataSource pool;
  private Transactions transactions;

  @BeforeEach
  void createPool() throws SQLException {
    database = TestDatabase.empty();
    database.execute("create table effect (n int, unique (n) deferrable initially deferred)");
    pool = pool(database.dataSource, true);
    transactions = new JdbcTransactions(pool);
  }

  @AfterEach
  void closePool() {
    pool.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void commitsAndGivesTheConnectionBackAsItWas(boolean autoCommit) throws SQLException {
    try (HikariDataSource own = pool(database.dataSource, autoCommit)) {
      Outcome<Integer> outcome = new JdbcTransactions(own).run(tx -> insert(tx.connection(), 1));
      assertThat(outcome).isEqualTo(new Outcome.Committed<>(7));
      assertPoolIsClean(own, autoCommit);
    }
    assertEffects(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rollsBackWhateverTheBodyThrows(boolean autoCommit) throws SQLException {
    try (HikariDataSource own = pool(database.dataSource, autoCommit)) {
      for (Throwable thrown :
          new Throwable[] {
            new IllegalStateException("business"),
            new StackOverflowError(),
            new InterruptedException(),
            new AssertionError()
          }) {
        Outcome<Integer> outcome =
            new JdbcTransactions(own)
                .run(
                    tx -> {
                      insert(tx.connection(), 1);
                      throw sneaky(thrown);
                    });
        assertThat(outcome).isEqualTo(new Outcome.RolledBack<>(thrown));
        assertPoolIsClean(own, autoCommit);
      }
    }
    assertEffects(0);
  }

  @Test
  void connectionIsNotInAutoCommitModeAndKeepsTheIsolationLevel() {
    pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    Outcome<String> outcome =
        transactions.run(
            tx -> {
              assertThat(tx.connection().getAutoCommit()).isFalse();
              tx.flush();
              return one(tx.connection(), "show transaction_isolation");
            });
    assertThat(outcome).isEqualTo(new Outcome.Committed<>("serializable"));
  }

  @Test
  void noConnectionIsNotBegun() {
    SQLException timeout = new SQLTransientConnectionException("none");
    DataSource none = Broken.dataSource(database.dataSource, "getConnection", timeout);
    AtomicBoolean ran = new AtomicBoolean();
    assertThat(new JdbcTransactions(none).run(tx -> ran.getAndSet(true)))
        .isEqualTo(new Outcome.NotBegun<>(timeout));
    assertThat(ran).isFalse();
  }

  @Test
  void beginThatFailsIsNotBegunAndLeavesNoConnectionBehind() throws SQLException {
    SQLException lost = new SQLException("lost", "08006");
    DataSource broken = Broken.connections(pool, "setAutoCommit", lost);
    Outcome<Object> outcome = new JdbcTransactions(broken).run(tx -> "ran");
    assertThat(outcome).isEqualTo(new Outcome.NotBegun<>(lost));
    assertPoolIsClean(pool, true);
  }

  @Test
  @Tag("D20")
  void failuresOfTheCleanUpAreSuppressedAndTheBusinessExceptionShows() throws SQLException {
    IllegalStateException business = new IllegalStateException("business");
    Outcome<Object> outcome =
        transactions.run(
            tx -> {
              terminate(tx.connection());
              throw business;
            });
    assertThat(outcome).isEqualTo(new Outcome.RolledBack<>(business));
    assertThat(business.getSuppressed()).isNotEmpty().allMatch(SQLException.class::isInstance);
    assertPoolIsClean(pool, true);
  }

  @Test
  @Tag("D20")
  void connectionWhoseRollbackFailsIsNotGivenBackOpen() throws SQLException {
    SQLException refused = new SQLException("no rollback", "XX000");
    StackOverflowError overflow = new StackOverflowError();
    DataSource broken = Broken.connections(pool, "rollback", refused);
    Outcome<Object> outcome =
        new JdbcTransactions(broken)
            .run(
                tx -> {
                  insert(tx.connection(), 1);
                  throw overflow;
                });
    assertThat(outcome).isEqualTo(new Outcome.RolledBack<>(overflow));
    assertThat(overflow.getSuppressed()).contains(refused);
    assertPoolIsClean(pool, true);
    assertEffects(0);
  }

  @Test
  @Tag("D08")
  void backendEndedBeforeTheCommitIsUnknownAndNeverCommittedElsewhere() throws SQLException {
    Outcome<Integer> outcome =
        transactions.run(
            tx -> {
              int result = insert(tx.connection(), 1);
              terminate(tx.connection());
              return result;
            });
    assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
    assertThat(DatabaseFailure.of(((Outcome.Unknown<?>) outcome).cause()))
        .isEqualTo(DatabaseFailure.OUTAGE);
    assertEffects(0);
    assertPoolIsClean(pool, true);
  }

  @Test
  void connectionAbortedUnderTheBodyIsSurelyRolledBack() throws SQLException {
    Outcome<Integer> outcome =
        transactions.run(
            tx -> {
              int result = insert(tx.connection(), 1);
              tx.connection().unwrap(org.postgresql.core.BaseConnection.class).abort(Runnable::run);
              return result;
            });
    assertThat(outcome).isInstanceOf(Outcome.RolledBack.class);
    assertEffects(0);
    assertPoolIsClean(pool, true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("D08")
  void bodyThatEndsNormallyAfterAFailedStatementIsNotCommitted(boolean unwraps)
      throws SQLException {
    DataSource source = unwraps ? pool : Broken.connectionsAnswering(pool, "isWrapperFor", false);
    Outcome<String> outcome =
        new JdbcTransactions(source)
            .run(
                tx -> {
                  insert(tx.connection(), 1);
                  try {
                    execute(tx.connection(), "select 1/0");
                  } catch (SQLException swallowed) {
                    return "as if nothing had happened";
                  }
                  throw new AssertionError();
                });
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.RolledBack.class,
            rolledBack ->
                assertThat(((SQLException) rolledBack.cause()).getSQLState()).isEqualTo("25P02"));
    assertPoolIsClean(pool, true);
    assertEffects(0);
  }

  @Test
  void poolThatHidesTheDriversConnectionCommitsAllTheSame() throws SQLException {
    DataSource source = Broken.connectionsAnswering(pool, "isWrapperFor", false);
    assertThat(new JdbcTransactions(source).run(tx -> insert(tx.connection(), 1)))
        .isEqualTo(new Outcome.Committed<>(7));
    assertEffects(1);
  }

  @Test
  void constraintThatFailsTheCommitIsRolledBack() throws SQLException {
    Outcome<Integer> outcome =
        transactions.run(
            tx -> {
              insert(tx.connection(), 1);
              return insert(tx.connection(), 1);
            });
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.RolledBack.class,
            rolledBack ->
                assertThat(((SQLException) rolledBack.cause()).getSQLState()).isEqualTo("23505"));
    assertEffects(0);
    assertPoolIsClean(pool, true);
  }

  @Test
  void stateThatADeferredTriggerRaisesIsTheServersWord() throws SQLException {
    database.execute(
        "create function refuse() returns trigger language plpgsql as"
            + " $$ begin raise exception 'no' using errcode = 'ZZ001'; end $$");
    database.execute(
        "create constraint trigger refuse after insert on effect deferrable initially deferred"
            + " for each row execute function refuse()");
    assertThat(transactions.run(tx -> insert(tx.connection(), 1)))
        .isInstanceOf(Outcome.RolledBack.class);
  }

  @Test
  void commitWhoseAnswerIsLostIsUnknownThoughItHappened() throws SQLException {
    RuntimeException lost = new IllegalStateException("the pool's own trouble");
    DataSource broken = Broken.connectionsAfter(pool, "commit", lost);
    Outcome<Integer> outcome = new JdbcTransactions(broken).run(tx -> insert(tx.connection(), 1));
    assertThat(outcome).isEqualTo(new Outcome.Unknown<>(lost));
    assertEffects(1);
    assertPoolIsClean(pool, true);
  }

  @Test
  void whatThePoolLeftOpenIsNoPartOfTheTransaction() throws SQLException {
    Connection dirty = database.begin();
    insert(dirty, 1);
    DataSource source = Broken.single(database.dataSource, dirty);
    assertThat(new JdbcTransactions(source).run(tx -> insert(tx.connection(), 2)))
        .isInstanceOf(Outcome.Committed.class);
    assertThat(database.column("select n from effect")).containsExactly("2");
  }

  private static int insert(Connection connection, int n) throws SQLException {
    execute(connection, "insert into effect values (" + n + ")");
    return 7;
  }

  private void terminate(Connection connection) throws SQLException {
    String pid = one(connection, "select pg_backend_pid()");
    database.execute("select pg_terminate_backend(" + pid + ", 5000)");
  }

  private void assertEffects(int count) throws SQLException {
    assertThat(database.column("select n from effect")).hasSize(count);
  }

  /** All connections are back, and none carries a transaction or another auto-commit mode. */
  private static void assertPoolIsClean(HikariDataSource pool, boolean autoCommit)
      throws SQLException {
    assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    try (Connection connection = pool.getConnection()) {
      assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
      assertThat(
              one(
                  connection,
                  "select count(*) from pg_stat_activity where datname = current_database()"
                      + " and state like 'idle in transaction%' and pid <> pg_backend_pid()"))
          .isEqualTo("0");
    }
  }

  private static HikariDataSource pool(DataSource source, boolean autoCommit) {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(source);
    pool.setAutoCommit(autoCommit);
    pool.setMaximumPoolSize(2);
    return pool;
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> RuntimeException sneaky(Throwable thrown) throws X {
    throw (X) thrown;
  }
}
