package dev.acklast.it;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source that writes down what its connections send: the text of each statement, {@code
 * commit} and {@code rollback}. Thread-safe.
 */
final class CountingSource {
  private final List<String> sent = new CopyOnWriteArrayList<>();
  final DataSource dataSource;

  CountingSource(DataSource target) {
    this.dataSource = recording(DataSource.class, target, null);
  }

  /** What was sent since the last call. */
  List<String> taken() {
    List<String> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  private <T> T recording(Class<T> type, T target, @Nullable String sql) {
    return type.cast(
        Proxy.newProxyInstance(
            CountingSource.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              String name = method.getName();
              String text =
                  arguments != null && arguments.length > 0 && arguments[0] instanceof String first
                      ? first
                      : sql;
              if (name.startsWith("execute")) {
                sent.add(String.valueOf(text));
              } else if (name.equals("commit") || name.equals("rollback")) {
                sent.add(name);
              }
              try {
                Object result = method.invoke(target, arguments);
                if (result instanceof Connection connection && name.equals("getConnection")) {
                  return recording(Connection.class, connection, null);
                }
                if (result instanceof PreparedStatement statement) {
                  return recording(PreparedStatement.class, statement, text);
                }
                return result instanceof Statement statement && name.equals("createStatement")
                    ? recording(Statement.class, statement, null)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
