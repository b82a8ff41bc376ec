package dev.acklast.testkit.handler;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The user's database as one process has it: its connections end together when the process dies,
 * and someone is told of what is done on them. Thread-safe.
 */
final class MortalDatabase implements InvocationHandler {
  /** Hears of a process's use of the database, on the thread that uses it, before it happens. */
  interface Observer {
    void connecting();

    /** A statement is about to be executed. */
    void executing(Connection connection, String sql) throws SQLException;

    /** A commit is about to be carried out, and does so through {@code commit}. */
    void committing(Connection connection, Commit commit) throws Throwable;
  }

  /** A commit that an observer may carry out. */
  @FunctionalInterface
  interface Commit {
    void carryOut() throws Throwable;
  }

  private final DataSource database;
  private final Observer observer;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean dead;

  MortalDatabase(DataSource database, Observer observer) {
    this.database = database;
    this.observer = observer;
  }

  DataSource dataSource() {
    return proxy(DataSource.class, this);
  }

  /** Ends all connections at once; the server rolls back what was open on them. */
  void die() {
    dead = true;
    open.forEach(MortalDatabase::end);
  }

  /**
   * Aborts one connection, as a network does, and gives it back to its pool; the failure that
   * follows tells most pools not to hand it out again.
   */
  static void end(Connection connection) {
    try (connection) {
      connection.abort(Runnable::run);
      connection.createStatement().close();
    } catch (SQLException e) {
      // It is gone already, which is what was wanted.
    }
  }

  static SQLException lost() {
    return new SQLException("the connection was lost, by the handler tester's doing", "08006");
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    boolean connecting = method.getName().equals("getConnection");
    if (connecting) {
      observer.connecting();
      refuseIfDead();
    }
    Object result = call(database, method, arguments);
    if (!connecting || !(result instanceof Connection connection)) {
      return result;
    }
    open.add(connection);
    if (dead) {
      end(connection);
    }
    return proxy(Connection.class, new WatchedConnection(connection, observer, this::closed));
  }

  private void refuseIfDead() throws SQLException {
    if (dead) {
      throw new SQLException("the process has died, by the handler tester's doing", "08001");
    }
  }

  private void closed(Connection connection) {
    open.remove(connection);
  }

  static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            MortalDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
