package dev.acklast.store;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** Real data sources with one method that fails: real ones do not fail on demand. */
final class Broken {
  private Broken() {}

  /** The data source itself throws. */
  static DataSource dataSource(DataSource target, String failing, Throwable failure) {
    return proxy(DataSource.class, failing(target, failing, failure));
  }

  /** Its connections throw instead of doing it. */
  static DataSource connections(DataSource target, String failing, Throwable failure) {
    return wrapping(target, connection -> failing(connection, failing, failure));
  }

  /** Its connections throw after having done it. */
  static DataSource connectionsAfter(DataSource target, String failing, Throwable failure) {
    return wrapping(
        target,
        connection ->
            (proxy, method, arguments) -> {
              Object result = invoke(connection, method, arguments);
              if (method.getName().equals(failing)) {
                throw failure;
              }
              return result;
            });
  }

  /** Its connections give this answer. */
  static DataSource connectionsAnswering(DataSource target, String question, Object answer) {
    return wrapping(
        target,
        connection ->
            (proxy, method, arguments) ->
                method.getName().equals(question) ? answer : invoke(connection, method, arguments));
  }

  /** A data source whose one connection is {@code connection}. */
  static DataSource single(DataSource target, Connection connection) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) ->
            method.getName().equals("getConnection")
                ? connection
                : invoke(target, method, arguments));
  }

  private interface Handlers {
    InvocationHandler of(Connection connection);
  }

  private static DataSource wrapping(DataSource target, Handlers handlers) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object result = invoke(target, method, arguments);
          return result instanceof Connection connection
              ? proxy(Connection.class, handlers.of(connection))
              : result;
        });
  }

  private static InvocationHandler failing(Object target, String failing, Throwable failure) {
    return (proxy, method, arguments) -> {
      if (method.getName().equals(failing)) {
        throw failure;
      }
      return invoke(target, method, arguments);
    };
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Broken.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
