package dev.acklast.store;

import dev.acklast.spi.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions in plain JDBC on a data source, one connection each. The isolation level stays as
 * configured, auto-commit is given back as it was found. Thread-safe if the data source is.
 */
public final class JdbcTransactions implements Transactions {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcTransactions.class);

  private final DataSource dataSource;

  /** Takes a connection from {@code dataSource} for each transaction. */
  public JdbcTransactions(DataSource dataSource) {
    this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
  }

  @Override
  public <R> Outcome<R> run(Body<R> body) {
    Connection connection;
    try {
      connection = Objects.requireNonNull(dataSource.getConnection(), "data source's connection");
    } catch (Throwable e) {
      return new Outcome.NotBegun<>(e);
    }
    boolean autoCommit;
    try {
      autoCommit = begin(connection);
    } catch (Throwable e) {
      rollBackAndClose(connection, false, e);
      return new Outcome.NotBegun<>(e);
    }
    Outcome<R> outcome = runBegun(connection, body);
    Throwable cause = cause(outcome);
    if (cause == null) {
      closeCommitted(connection, autoCommit);
    } else {
      rollBackAndClose(connection, autoCommit, cause);
    }
    return outcome;
  }

  /**
   * What the pool's own checks may have left open on the connection is no part of this transaction.
   */
  private static boolean begin(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      connection.setAutoCommit(false);
      return true;
    }
    connection.rollback();
    return false;
  }

  private static <R> Outcome<R> runBegun(Connection connection, Body<R> body) {
    R value;
    try {
      value = body.run(() -> connection);
      refuseIfDoomed(connection);
    } catch (Throwable e) {
      return new Outcome.RolledBack<>(e);
    }
    try {
      connection.commit();
      return new Outcome.Committed<>(value);
    } catch (Throwable e) {
      return CommitRefusal.proves(e) ? new Outcome.RolledBack<>(e) : new Outcome.Unknown<>(e);
    }
  }

  /**
   * The server answers the commit of a failed transaction with a rollback, and the driver reports
   * that as a success (seen with 42.7.14). So whoever swallows a failed statement must not reach
   * the commit. Where the pool hides the driver's connection, the server is asked.
   */
  private static void refuseIfDoomed(Connection connection) throws SQLException {
    if (connection.isClosed()) {
      throw closed();
    }
    if (!connection.isWrapperFor(BaseConnection.class)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("select 1");
      }
      return;
    }
    BaseConnection physical = connection.unwrap(BaseConnection.class);
    if (physical.isClosed()) {
      throw closed();
    }
    if (physical.getTransactionState() == TransactionState.FAILED) {
      throw new SQLException(
          "a statement has failed in this transaction, which can only roll back: work that goes on"
              + " after a failed statement needs a savepoint before it",
          "25P02");
    }
  }

  private static SQLException closed() {
    return new SQLException("the connection was closed under its transaction", "08003");
  }

  private static @Nullable Throwable cause(Outcome<?> outcome) {
    if (outcome instanceof Outcome.RolledBack<?> rolledBack) {
      return rolledBack.cause();
    }
    return outcome instanceof Outcome.Unknown<?> unknown ? unknown.cause() : null;
  }

  private static void closeCommitted(Connection connection, boolean autoCommit) {
    try (connection) {
      if (autoCommit) {
        connection.setAutoCommit(true);
      }
    } catch (Throwable e) {
      LOG.warn("a connection could not be given back after its commit; the commit stands", e);
    }
  }

  /** A connection that cannot be rolled back is aborted: auto-commit would commit what is open. */
  private static void rollBackAndClose(Connection connection, boolean autoCommit, Throwable cause) {
    try (connection) {
      try {
        connection.rollback();
        if (autoCommit) {
          connection.setAutoCommit(true);
        }
      } catch (Throwable e) {
        suppress(cause, e);
        connection.abort(Runnable::run);
      }
    } catch (Throwable e) {
      suppress(cause, e);
    }
  }

  private static void suppress(Throwable cause, Throwable further) {
    if (cause != further) {
      cause.addSuppressed(further);
    }
  }
}
