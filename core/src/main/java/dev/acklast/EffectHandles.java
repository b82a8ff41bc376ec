package dev.acklast;

import java.sql.Connection;
import java.util.function.Consumer;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.LocalTransactionHandler;
import org.jdbi.v3.core.transaction.TransactionHandler;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * Makes the Jdbi handles that handlers use: on the open transaction, and unable to end it.
 * Thread-safe.
 */
final class EffectHandles {
  private static final ThreadLocal<OpenTransaction> OPENING = new ThreadLocal<>();

  private final Jdbi jdbi;

  EffectHandles(Consumer<Jdbi> setup) {
    jdbi =
        Jdbi.create(
            new ConnectionFactory() {
              @Override
              public Connection openConnection() {
                return OPENING.get().connection();
              }

              @Override
              public void closeConnection(Connection connection) {
                // it belongs to the transaction, which outlives the handler's view of it
              }
            });
    setup.accept(jdbi);
    jdbi.setTransactionHandler(new JoiningHandler(null));
  }

  OpenTransaction open(Connection connection, Message<?> message) {
    return new OpenTransaction(this, connection, message);
  }

  Handle openOn(OpenTransaction transaction) {
    OPENING.set(transaction);
    try {
      return jdbi.open();
    } finally {
      OPENING.remove();
    }
  }

  /** Nested transactions join; nothing ends the transaction; savepoints work. */
  private final class JoiningHandler implements TransactionHandler {
    private final TransactionHandler savepoints = LocalTransactionHandler.binding();
    private final @org.jspecify.annotations.Nullable OpenTransaction transaction;

    private JoiningHandler(@org.jspecify.annotations.Nullable OpenTransaction transaction) {
      this.transaction = transaction;
    }

    @Override
    public TransactionHandler specialize(Handle handle) {
      return new JoiningHandler(OPENING.get());
    }

    @Override
    public boolean isInTransaction(Handle handle) {
      return transaction != null && transaction.isOpen();
    }

    @Override
    public void begin(Handle handle) {
      throw GuardedConnection.refusal("begin");
    }

    @Override
    public void commit(Handle handle) {
      throw GuardedConnection.refusal("commit");
    }

    @Override
    public void rollback(Handle handle) {
      throw GuardedConnection.refusal("rollback or close");
    }

    @Override
    public void savepoint(Handle handle, String name) {
      savepoints.savepoint(handle, name);
    }

    @Override
    public void rollbackToSavepoint(Handle handle, String name) {
      savepoints.rollbackToSavepoint(handle, name);
    }

    @Override
    public void releaseSavepoint(Handle handle, String name) {
      savepoints.releaseSavepoint(handle, name);
    }

    @Override
    public <R, X extends Exception> R inTransaction(Handle handle, HandleCallback<R, X> callback)
        throws X {
      return callback.withHandle(handle);
    }

    @Override
    public <R, X extends Exception> R inTransaction(
        Handle handle, TransactionIsolationLevel level, HandleCallback<R, X> callback) throws X {
      TransactionIsolationLevel actual = handle.getTransactionIsolationLevel();
      if (level != actual && level != TransactionIsolationLevel.UNKNOWN) {
        throw new IllegalStateException(
            "a nested transaction cannot be " + level + " within Acklast's, which is " + actual);
      }
      return callback.withHandle(handle);
    }
  }
}
