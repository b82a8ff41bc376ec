package dev.acklast;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection as handlers see it: everything but the end of its transaction is theirs, and only
 * until they return. Statements and metadata lead back to this view of it. The driver's own type,
 * for COPY say, can be unwrapped; whoever ends the transaction through that is beyond help.
 */
final class GuardedConnection implements InvocationHandler {
  private static final Set<String> REFUSED = Set.of("commit", "close", "abort", "setAutoCommit");

  private final Connection connection;
  private final BooleanSupplier open;

  private GuardedConnection(Connection connection, BooleanSupplier open) {
    this.connection = connection;
    this.open = open;
  }

  static Connection of(Connection connection, BooleanSupplier open) {
    return proxy(Connection.class, new GuardedConnection(connection, open));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            GuardedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** What a handler is told that tries to end the transaction. */
  static IllegalStateException refusal(String call) {
    return new IllegalStateException(
        call
            + " refused: Acklast commits or rolls back this transaction together with the claim;"
            + " throw an exception to roll it back, or use savepoints for a part of it");
  }

  /** What a handler's left-overs are told, which would meet another message's transaction. */
  static IllegalStateException over() {
    return new IllegalStateException("the handler has returned; its transaction is over");
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    boolean wholeRollback = method.getName().equals("rollback") && method.getParameterCount() == 0;
    if (wholeRollback || REFUSED.contains(method.getName())) {
      throw refusal(method.getName());
    }
    if (method.getName().equals("isClosed")) {
      return !open.getAsBoolean() || connection.isClosed();
    }
    if (method.getDeclaringClass() != Object.class && !open.getAsBoolean()) {
      throw over();
    }
    return call(proxy, connection, method, arguments);
  }

  /** Calls the real thing; what comes of it and leads back to the connection is guarded too. */
  private static @Nullable Object call(
      Object view, Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    if (arguments != null && arguments.length == 1) {
      if (method.getName().equals("equals")) {
        return view == arguments[0];
      }
      if (method.getName().equals("unwrap")
          && arguments[0] instanceof Class<?> type
          && type.isInstance(view)) {
        return view;
      }
    }
    if (arguments != null && arguments.length > 0 && arguments[0] instanceof String text) {
      refuseEnding(method.getName(), text);
    }
    try {
      return guarded(view, method.invoke(target, arguments));
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static void refuseEnding(String call, String text) {
    boolean takesSql =
        call.startsWith("execute") || call.startsWith("prepare") || call.equals("addBatch");
    String ending = takesSql ? EndingSql.in(text) : null;
    if (ending != null) {
      throw refusal("the statement " + ending);
    }
  }

  private static @Nullable Object guarded(Object view, @Nullable Object result) {
    if (!(view instanceof Connection guard)) {
      return result;
    }
    if (result instanceof CallableStatement) {
      return proxy(CallableStatement.class, leadingBackTo(guard, result));
    }
    if (result instanceof PreparedStatement) {
      return proxy(PreparedStatement.class, leadingBackTo(guard, result));
    }
    if (result instanceof Statement) {
      return proxy(Statement.class, leadingBackTo(guard, result));
    }
    return result instanceof DatabaseMetaData
        ? proxy(DatabaseMetaData.class, leadingBackTo(guard, result))
        : result;
  }

  private static InvocationHandler leadingBackTo(Connection guard, Object target) {
    return (proxy, method, arguments) ->
        method.getName().equals("getConnection") ? guard : call(proxy, target, method, arguments);
  }
}
