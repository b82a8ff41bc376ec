package dev.acklast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.AcklastListener;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Json;
import dev.acklast.Key;
import dev.acklast.MessageInfo;
import dev.acklast.servers.Servers;
import dev.acklast.spi.Envelope;
import dev.acklast.testkit.InMemoryBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A whole consumer in JPA's transactions: what a repository saves and the claim are one. */
class SpringConsumerTest {
  private final InMemoryBroker broker = new InMemoryBroker();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private Jdbi jdbi;
  private HikariDataSource pool;
  private AnnotationConfigApplicationContext application;
  private Commissions commissions;

  @BeforeEach
  void startApplication() {
    DataSource direct =
        Servers.sharedPostgres()
            .dataSourceOf(Servers.sharedPostgres().createDatabase(Servers.uniqueName("spring")));
    jdbi = Jdbi.create(direct);
    jdbi.useHandle(
        handle ->
            handle.execute(
                "create table commission (sale_id text primary key, seller text,"
                    + " unique (seller) deferrable initially deferred)"));
    pool = new HikariDataSource();
    pool.setDataSource(direct);
    pool.setMaximumPoolSize(6);
    application = new AnnotationConfigApplicationContext();
    application.registerBean(DataSource.class, () -> pool);
    application.register(ShopConfiguration.class);
    application.refresh();
    commissions = application.getBean(Commissions.class);
    broker.createQueue("sales");
  }

  @AfterEach
  void closeApplication() {
    assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    application.close();
    pool.close();
  }

  @Test
  void repositoryAndClaimCarryOneTransactionId() {
    publish(200);
    try (IdempotentConsumer consumer =
        consumer()
            .apply((sale, tx) -> commissions.add(tx.key(), "seller of " + tx.key()))
            .start()) {
      awaitRows("select count(*) from commission", 200);
      awaitEmptySource();
      assertThat(consumer.health().reasons()).isEmpty();
    }
    assertThat(
            column(
                "select count(*) from commission e join acklast_claim c on c.key = e.sale_id"
                    + " and c.xmin::text = e.xmin::text"))
        .containsExactly("200");
  }

  @Test
  void messagesShareTransactionsOfTheUsersKind() {
    AtomicInteger published = new AtomicInteger();
    try (IdempotentConsumer unused =
        consumer()
            .apply((sale, tx) -> commissions.add(tx.key(), "seller of " + tx.key()))
            .start()) {
      // How many share one is a matter of the machine's pace.
      Awaitility.await("a shared transaction")
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                publish(published.get(), published.addAndGet(50));
                return !column("select 1 from commission group by xmin::text having count(*) > 1")
                    .isEmpty();
              });
      awaitEmptySource();
    }
  }

  @Test
  void exceptionRollsBackRepositoryAndClaim() {
    publish(1);
    try (IdempotentConsumer unused =
        consumer()
            .apply(
                (sale, tx) -> {
                  commissions.add(tx.key(), "ann");
                  commissions.refuse("no");
                })
            .start()) {
      awaitDead(1);
      awaitEmptySource();
    }
    assertThat(column("select sale_id from commission")).isEmpty();
    assertThat(column("select key from acklast_claim")).isEmpty();
    assertThat(failures).containsExactly("sale-0", "sale-0", "sale-0");
  }

  @Test
  void violationThatShowsInTheFlushIsBlamedOnItsOwnMessageInABatch() {
    jdbi.useHandle(handle -> handle.execute("insert into commission values ('sale-70', 'bob')"));
    publish(120);
    try (IdempotentConsumer unused =
        consumer()
            .concurrency(1)
            .apply((sale, tx) -> commissions.add(tx.key(), "seller of " + tx.key()))
            .start()) {
      awaitDead(1);
      awaitRows("select count(*) from commission", 120);
      awaitEmptySource();
    }
    assertThat(failures).containsExactly("sale-70", "sale-70", "sale-70");
    assertThat(column("select seller from commission where sale_id = 'sale-70'"))
        .containsExactly("bob");
    assertThat(column("select count(*) from acklast_claim")).containsExactly("119");
  }

  @Test
  void violationThatShowsInTheCommitIsBlamedOnItsOwnMessage() {
    jdbi.useHandle(handle -> handle.execute("insert into commission values ('old', 'seller-33')"));
    publish(60);
    try (IdempotentConsumer unused =
        consumer()
            .concurrency(1)
            .apply((sale, tx) -> commissions.add(tx.key(), tx.key().replace("sale-", "seller-")))
            .start()) {
      awaitDead(1);
      awaitRows("select count(*) from commission", 60);
      awaitEmptySource();
    }
    assertThat(failures).containsExactly("sale-33", "sale-33", "sale-33");
    assertThat(column("select count(*) from acklast_claim")).containsExactly("59");
  }

  private ConsumerBuilder<JsonNode> consumer() {
    return IdempotentConsumer.<JsonNode>named("commissions")
        .source(broker.source("sales"))
        .decode(Json.tree())
        .key(Key.pointer("/saleId"))
        .transactions(application.getBean(SpringTransactions.class))
        .maxAttempts(3)
        .backoff(Backoff.fixed(Duration.ofMillis(100)))
        .listener(
            new AcklastListener() {
              @Override
              public void attemptFailed(MessageInfo message, int attempts, Throwable failure) {
                failures.add(String.valueOf(message.key()));
              }
            });
  }

  private void publish(int count) {
    publish(0, count);
  }

  private void publish(int from, int to) {
    IntStream.range(from, to)
        .mapToObj(i -> ("{\"saleId\":\"sale-" + i + "\"}").getBytes(StandardCharsets.UTF_8))
        .forEach(body -> broker.publish("sales", Envelope.of("?", body).build()));
  }

  private void awaitRows(String count, int rows) {
    Awaitility.await(count)
        .atMost(Duration.ofMinutes(1))
        .until(() -> column(count), values -> Integer.parseInt(values.get(0)) >= rows);
  }

  private void awaitDead(int count) {
    Awaitility.await("dead letters")
        .atMost(Duration.ofMinutes(1))
        .until(() -> broker.hasQueue("sales.dlq") && broker.messages("sales.dlq").size() >= count);
  }

  private void awaitEmptySource() {
    Awaitility.await("an empty source")
        .atMost(Duration.ofMinutes(1))
        .until(() -> broker.left("sales") == 0);
  }

  private List<String> column(String sql) {
    return jdbi.withHandle(handle -> handle.select(sql).mapTo(String.class).list());
  }
}
