package dev.acklast.chaos;

import dev.acklast.spi.Transactions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A broken kind of transactions: statements that insert claims go over another connection, where
 * each is committed at once.
 */
record ClaimApart(Transactions sound, DataSource database) implements Transactions {
  @Override
  public <R> Outcome<R> run(Body<R> body) {
    return sound.run(
        transaction -> {
          try (Connection apart = database.getConnection()) {
            return body.run(new Split(transaction, split(transaction.connection(), apart)));
          }
        });
  }

  private record Split(Transaction sound, Connection connection) implements Transaction {
    @Override
    public void flush() {
      sound.flush();
    }
  }

  private static Connection split(Connection sound, Connection apart) {
    return (Connection)
        Proxy.newProxyInstance(
            ClaimApart.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              boolean claims =
                  method.getName().equals("prepareStatement")
                      && arguments[0] instanceof String sql
                      && sql.contains("insert into")
                      && sql.contains("acklast_claim");
              try {
                return method.invoke(claims ? committing(apart) : sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Connection committing(Connection apart) throws SQLException {
    apart.setAutoCommit(true);
    return apart;
  }
}
