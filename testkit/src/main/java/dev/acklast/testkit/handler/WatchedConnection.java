package dev.acklast.testkit.handler;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A real connection whose statements and commits are told to an observer first. */
final class WatchedConnection implements InvocationHandler {
  private final Connection connection;
  private final MortalDatabase.Observer observer;
  private final Consumer<Connection> closed;

  WatchedConnection(
      Connection connection, MortalDatabase.Observer observer, Consumer<Connection> closed) {
    this.connection = connection;
    this.observer = observer;
    this.closed = closed;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    switch (method.getName()) {
      case "commit" -> {
        observer.committing(connection, () -> MortalDatabase.call(connection, method, arguments));
        return null;
      }
      case "close" -> closed.accept(connection);
      case "equals" -> {
        return arguments != null && proxy == arguments[0];
      }
      default -> {}
    }
    Object result = MortalDatabase.call(connection, method, arguments);
    String sql =
        arguments != null && arguments.length > 0 && arguments[0] instanceof String text
            ? text
            : "?";
    return watched(result, sql, (Connection) proxy);
  }

  private @Nullable Object watched(@Nullable Object result, String sql, Connection view) {
    if (result instanceof CallableStatement) {
      return MortalDatabase.proxy(CallableStatement.class, statement(result, sql, view));
    }
    if (result instanceof PreparedStatement) {
      return MortalDatabase.proxy(PreparedStatement.class, statement(result, sql, view));
    }
    return result instanceof Statement
        ? MortalDatabase.proxy(Statement.class, statement(result, "?", view))
        : result;
  }

  private InvocationHandler statement(Object target, String prepared, Connection view) {
    return (proxy, method, arguments) -> {
      if (method.getName().startsWith("execute")) {
        boolean given = arguments != null && arguments.length > 0;
        observer.executing(
            connection, given && arguments[0] instanceof String sql ? sql : prepared);
      }
      return method.getName().equals("getConnection")
          ? view
          : MortalDatabase.call(target, method, arguments);
    };
  }
}
