package dev.acklast.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * One consumer's database: the shop's tables as the example has them, and beside them a schema
 * {@code demo} with what should be there, for the audit. Thread-safe.
 */
final class Shop {
  private final Jdbi jdbi;

  Shop(DataSource database) {
    this.jdbi = Jdbi.create(database);
  }

  /** Creates the tables, and the sellers. */
  void open(Path schemaSql) throws IOException {
    String schema = Files.readString(schemaSql);
    jdbi.useTransaction(
        handle -> {
          handle.createScript(schema).execute();
          handle.createScript(Resource.read("audit-tables.sql")).execute();
        });
  }

  /** Notes sales whose events are about to be published. */
  void expect(List<Sale> sales) {
    jdbi.useTransaction(
        handle -> {
          PreparedBatch batch = handle.prepareBatch("insert into demo.sale values (?, ?, ?, ?, ?)");
          for (Sale sale : sales) {
            batch.add(sale.id(), sale.sellerId(), sale.amount(), sale.kind().name(), sale.body());
          }
          batch.execute();
        });
  }

  /** Commissions paid so far, doubled ones included. */
  long commissions() {
    return number("select count(*) from commission");
  }

  /** Commissions beyond a sale's first. */
  long doubled() {
    return number("select count(*) - count(distinct sale_id) from commission");
  }

  /** Notes what the dead-letter queue holds. */
  void noteDeadLetters(List<DeadLetter> letters) {
    jdbi.useTransaction(
        handle -> {
          PreparedBatch batch =
              handle.prepareBatch("insert into demo.dead_letter values (?, ?, ?)");
          letters.forEach(letter -> batch.add(letter.saleId(), letter.messageId(), letter.body()));
          if (batch.size() > 0) {
            batch.execute();
          }
        });
  }

  /** Compares what is there with what should be. */
  Books audit() {
    return jdbi.withHandle(
        handle -> handle.createQuery(Resource.read("audit.sql")).map(Books::read).one());
  }

  private long number(String sql) {
    return jdbi.withHandle(handle -> handle.createQuery(sql).mapTo(long.class).one());
  }
}
