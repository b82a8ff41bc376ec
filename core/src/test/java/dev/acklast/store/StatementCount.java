package dev.acklast.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the executions that some work asks a connection for. */
final class StatementCount {
  interface Work {
    void run(Connection connection) throws SQLException;
  }

  private StatementCount() {}

  static int of(Connection connection, Work work) throws SQLException {
    AtomicInteger executions = new AtomicInteger();
    work.run(counting(Connection.class, connection, executions));
    return executions.get();
  }

  private static <T> T counting(Class<T> type, T target, AtomicInteger executions) {
    return type.cast(
        Proxy.newProxyInstance(
            StatementCount.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("execute")) {
                executions.incrementAndGet();
              }
              try {
                Object result = method.invoke(target, arguments);
                if (result instanceof PreparedStatement statement) {
                  return counting(PreparedStatement.class, statement, executions);
                }
                return result instanceof Statement statement
                    ? counting(Statement.class, statement, executions)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
