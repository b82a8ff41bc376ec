package dev.acklast.spi;

import java.sql.Connection;
import java.util.Objects;

/**
 * Runs work in one database transaction on the calling thread. The default is plain JDBC on the
 * user's data source; whoever needs another transaction (JPA's, say) implements this. Thread-safe.
 */
public interface Transactions {
  /**
   * Begins a transaction, runs {@code body} in it, and commits; rolls back if the body throws.
   * Never throws, and gives the connection back in every case. A failure while rolling back or
   * closing is added to the cause as suppressed.
   *
   * <p>A body may end normally although a statement of its transaction has failed and was caught:
   * PostgreSQL then answers the commit with a rollback, and its driver (42.7.14) does not tell.
   * That is {@link Outcome.RolledBack}, so whoever implements this must ask for the transaction's
   * state before the commit; see {@code JdbcTransactions}.
   *
   * @return what became of it; {@link Outcome.Unknown} whenever the commit was sent and its answer
   *     is not known
   */
  <R> Outcome<R> run(Body<R> body);

  /**
   * The work.
   *
   * @param <R> its result
   */
  @FunctionalInterface
  interface Body<R> {
    /** Runs inside the transaction. Whatever it throws rolls the transaction back. */
    R run(Transaction transaction) throws Exception;
  }

  /** The transaction that a body runs in; valid on the body's thread until the body returns. */
  interface Transaction {
    /** The connection that carries it; not in auto-commit mode. */
    Connection connection();

    /**
     * Sends to the database what an object-relational mapper holds back; core calls it after each
     * effect.
     */
    default void flush() {}
  }

  /**
   * What became of a transaction. A closed set.
   *
   * @param <R> the body's result
   */
  sealed interface Outcome<R> {
    /** The database has confirmed the commit. */
    record Committed<R>(R value) implements Outcome<R> {}

    /** Surely nothing of it is in the database. */
    record RolledBack<R>(Throwable cause) implements Outcome<R> {
      public RolledBack {
        Objects.requireNonNull(cause, "cause");
      }
    }

    /** No connection could be had, or no transaction begun: the body did not run. */
    record NotBegun<R>(Throwable cause) implements Outcome<R> {
      public NotBegun {
        Objects.requireNonNull(cause, "cause");
      }
    }

    /** The commit was sent, and nobody knows whether it happened. */
    record Unknown<R>(Throwable cause) implements Outcome<R> {
      public Unknown {
        Objects.requireNonNull(cause, "cause");
      }
    }
  }
}
