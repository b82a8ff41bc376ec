package dev.acklast.examples.commissions;

import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Json;
import dev.acklast.rabbitmq.RabbitSource;
import dev.acklast.spi.Source;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** Pays one commission per sale, however often the sale's event arrives. */
public final class Commissions {
  private Commissions() {}

  /** A sale event. */
  record Sale(String saleId, int sellerId, BigDecimal amount) {}

  static ConsumerBuilder<Sale> consumer(Source source, DataSource database) {
    return IdempotentConsumer.<Sale>named("commissions")
        .source(source)
        .decode(Json.as(Sale.class))
        .key(Sale::saleId)
        .database(database)
        .schema("acklast")
        .deadLetterTo("sales.dlq")
        .maxAttempts(3)
        .backoff(Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(5)))
        .batchSize(10) // sales of one seller wait for each other: keep transactions small
        .apply(
            (sale, tx) -> {
              tx.handle()
                  .execute(
                      "insert into commission(sale_id, seller_id, amount) values (?, ?, ?)",
                      sale.saleId(),
                      sale.sellerId(),
                      sale.amount());
              tx.handle()
                  .execute(
                      "update seller set balance = balance + ? where id = ?",
                      sale.amount(),
                      sale.sellerId());
            });
  }

  /**
   * Consumes until SIGTERM or SIGINT, then drains.
   *
   * @param args none; DB_URL, DB_USER, DB_PASSWORD and AMQP_URI say where
   * @throws Exception if an address cannot be read or the database cannot serve
   */
  public static void main(String[] args) throws Exception {
    ConnectionFactory broker = new ConnectionFactory();
    broker.setUri(setting("AMQP_URI", "amqp://guest:guest@localhost"));
    HikariDataSource database = new HikariDataSource();
    database.setJdbcUrl(setting("DB_URL", "jdbc:postgresql://localhost/shop"));
    database.setUsername(setting("DB_USER", "shop"));
    database.setPassword(setting("DB_PASSWORD", ""));

    IdempotentConsumer consumer = consumer(RabbitSource.queue(broker, "sales"), database).start();
    Thread drain = new Thread(consumer::close, "drain");
    Runtime.getRuntime().addShutdownHook(drain);
    new CountDownLatch(1).await(); // the signal ends the process, once it has drained
  }

  private static String setting(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }
}
