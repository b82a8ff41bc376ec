package dev.acklast;

import dev.acklast.spi.Transactions;
import javax.sql.DataSource;

final class JdbcTransactions implements Transactions {
  JdbcTransactions(DataSource dataSource) {}

  @Override
  public <R> Outcome<R> run(Body<R> body) {
    throw new UnsupportedOperationException();
  }
}
