package dev.acklast.spring;

import dev.acklast.spi.Transactions;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * Runs claim and effect in one transaction of Spring's {@link JpaTransactionManager}: repositories,
 * {@code @Transactional} services, entity managers and {@code JdbcTemplate}s that a handler calls
 * on its own thread take part in it. Thread-safe.
 *
 * <p>Services that ask for {@code REQUIRES_NEW} commit on their own, and what they did stays when
 * the message is tried again.
 */
public final class SpringTransactions implements Transactions {
  private final JpaTransactionManager manager;
  private final EntityManagerFactory entityManagers;
  private final DataSource dataSource;
  private final DefaultTransactionDefinition definition;

  /**
   * The manager must know its entity manager factory and, to share the connection, the data source.
   */
  public SpringTransactions(JpaTransactionManager manager) {
    this.manager = manager;
    this.entityManagers = Objects.requireNonNull(manager.getEntityManagerFactory());
    this.dataSource =
        Objects.requireNonNull(
            manager.getDataSource(), "the transaction manager has no data source: set it");
    this.definition =
        new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
  }

  @Override
  public <R> Outcome<R> run(Body<R> body) {
    TransactionStatus status;
    try {
      status = manager.getTransaction(definition);
    } catch (Throwable e) {
      return new Outcome.NotBegun<>(e);
    }
    R value;
    try {
      value = runBegun(body);
      if (status.isRollbackOnly()) {
        throw new UnexpectedRollbackException(
            "a service marked the transaction as rollback-only, and its exception was swallowed");
      }
    } catch (Throwable e) {
      rollBack(status, e);
      return new Outcome.RolledBack<>(e);
    }
    try {
      manager.commit(status);
      return new Outcome.Committed<>(value);
    } catch (Throwable e) {
      return refused(e) ? new Outcome.RolledBack<>(e) : new Outcome.Unknown<>(e);
    }
  }

  private <R> R runBegun(Body<R> body) throws Exception {
    EntityManager entities =
        Objects.requireNonNull(
            EntityManagerFactoryUtils.getTransactionalEntityManager(entityManagers));
    // Bound to the thread by the manager, which also gives it back.
    Connection connection = DataSourceUtils.getConnection(dataSource);
    R value = body.run(new JpaTransaction(connection, entities));
    // Whatever is still held back fails here, where it surely rolls back, and not in the commit.
    entities.flush();
    refuseIfDoomed(connection);
    return value;
  }

  /**
   * After a failed statement PostgreSQL answers the commit with a rollback, and its driver reports
   * that as a success. Any statement tells, if the failure was swallowed.
   */
  private static void refuseIfDoomed(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select 1");
    }
  }

  private void rollBack(TransactionStatus status, Throwable cause) {
    try {
      manager.rollback(status);
    } catch (Throwable e) {
      if (e != cause) {
        cause.addSuppressed(e);
      }
    }
  }

  /** Only these prove that a commit did not happen; whatever else comes back leaves a doubt. */
  private static boolean refused(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof UnexpectedRollbackException) {
        return true;
      }
      if (each instanceof SQLException sql && refuses(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }

  /** Constraints checked at commit, failed transactions, serialization failures, triggers. */
  private static boolean refuses(@Nullable String state) {
    return state != null
        && !state.equals("40003")
        && (state.startsWith("23")
            || state.startsWith("40")
            || state.equals("25P02")
            || state.startsWith("P0"));
  }

  private record JpaTransaction(Connection connection, EntityManager entities)
      implements Transaction {
    @Override
    public void flush() {
      entities.flush();
    }
  }
}
