package dev.acklast;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The connection as handlers see it: everything but the end of its transaction is theirs. */
final class GuardedConnection implements InvocationHandler {
  private static final Set<String> REFUSED = Set.of("commit", "close", "abort", "setAutoCommit");

  private final Connection connection;

  private GuardedConnection(Connection connection) {
    this.connection = connection;
  }

  static Connection of(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            GuardedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new GuardedConnection(connection));
  }

  /** What a handler is told that tries to end the transaction. */
  static IllegalStateException refusal(String call) {
    return new IllegalStateException(
        call
            + " refused: Acklast commits or rolls back this transaction together with the claim;"
            + " throw an exception to roll it back, or use savepoints for a part of it");
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    boolean wholeRollback = method.getName().equals("rollback") && method.getParameterCount() == 0;
    if (wholeRollback || REFUSED.contains(method.getName())) {
      throw refusal(method.getName());
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
