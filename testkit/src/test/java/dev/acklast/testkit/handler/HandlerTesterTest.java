package dev.acklast.testkit.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.ConsumerBuilder;
import dev.acklast.Handler;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Json;
import dev.acklast.Key;
import dev.acklast.MessageTransaction;
import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sound handler passes; each that is broken on purpose is found, and told what is wrong. */
class HandlerTesterTest {
  private static final String PAY = "insert into commission(sale_id, amount) values (?, ?)";
  private static final String BALANCE = "update seller set balance = balance + ? where id = 17";

  record Sale(String saleId, int amount) {}

  private final PostgresServer server = Servers.sharedPostgres();
  private final DataSource plain =
      server.dataSourceOf(server.createDatabase(Servers.uniqueName("handler")));
  private final HikariDataSource pool = pool();

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setDataSource(plain);
    config.setMaximumPoolSize(16);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  @BeforeEach
  void createTables() {
    Jdbi.create(plain)
        .useHandle(
            handle ->
                handle
                    .createScript(
                        "create table commission(sale_id text, amount int);"
                            + "create table seller(id int primary key, balance int not null);"
                            + "insert into seller values (17, 0)")
                    .execute());
  }

  @AfterEach
  void closePool() {
    pool.close();
  }

  private static ConsumerBuilder<Sale> sale() {
    return IdempotentConsumer.<Sale>named("commissions")
        .decode(Json.as(Sale.class))
        .key(Sale::saleId);
  }

  private static void pay(Sale sale, MessageTransaction tx) {
    tx.handle().execute(PAY, sale.saleId(), sale.amount());
    tx.handle().execute(BALANCE, sale.amount());
  }

  private HandlerTester tester(Function<DataSource, ConsumerBuilder<Sale>> consumer) {
    return HandlerTester.of((source, database) -> consumer.apply(database))
        .database(pool)
        .message("{\"saleId\": \"S-1\", \"amount\": 12}")
        .message("{\"saleId\": \"S-2\", \"amount\": 30}")
        .reset("truncate commission", "update seller set balance = 0")
        .effect("select sale_id, amount from commission")
        .effect("select id, balance from seller");
  }

  private HandlerTester applying(Handler<Sale> handler) {
    return tester(database -> sale().apply(handler));
  }

  private static void assertFinds(HandlerTester tester, String... words) {
    assertThatThrownBy(tester::verify)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Seen: ")
        .hasMessageContaining("To do: ")
        .hasMessageContainingAll(words);
  }

  @Test
  void passesASoundHandlerAndLeavesNoTableBehind() {
    applying(HandlerTesterTest::pay).verify();

    List<String> schemas =
        Jdbi.create(plain)
            .withHandle(
                handle ->
                    handle.select("select nspname from pg_namespace").mapTo(String.class).list());
    assertThat(schemas).noneMatch(schema -> schema.startsWith("acklast"));
  }

  @Test
  void passesASoundBatchHandler() {
    tester(
            database ->
                sale()
                    .applyAll(
                        (sales, tx) ->
                            sales.forEach(
                                sale -> {
                                  tx.handle().execute(PAY, sale.key(), sale.payload().amount());
                                  tx.handle().execute(BALANCE, sale.payload().amount());
                                })))
        .verify();
  }

  @Test
  void passesAHandlerWhoseSwallowedFailureDoomsTheTransaction() {
    applying(
            (sale, tx) -> {
              tx.handle().execute(PAY, sale.saleId(), sale.amount());
              try {
                tx.handle().execute(BALANCE, sale.amount());
              } catch (RuntimeException e) {
                // Acklast refuses to commit what comes of this.
              }
            })
        .verify();
  }

  @Test
  void findsAHandlerThatCommitsOnAConnectionOfItsOwn() {
    assertFinds(
        tester(
            database ->
                sale()
                    .apply(
                        (sale, tx) -> {
                          try (Connection connection = database.getConnection()) {
                            insert(connection, sale);
                          }
                        })),
        "the process died with message 1 after the handler had returned",
        "its transaction was rolled back, and yet",
        "commission\" has (S-1, 12) too much",
        "the handler had taken a connection of its own",
        "write through tx.handle()");
  }

  @Test
  void findsAHandlerThatCommitsInADatabaseThatTheTesterDoesNotKnow() {
    assertFinds(
        applying(
            (sale, tx) -> {
              try (Connection connection = plain.getConnection()) {
                insert(connection, sale);
              }
            }),
        "the process died with message 1 after the handler had returned",
        "its transaction was rolled back, and yet",
        "write through tx.handle()");
  }

  private static void insert(Connection connection, Sale sale) throws SQLException {
    try (var statement = connection.prepareStatement(PAY)) {
      statement.setString(1, sale.saleId());
      statement.setInt(2, sale.amount());
      statement.executeUpdate();
    }
  }

  @Test
  void findsADecoderThatWrites() {
    Json<Sale> json = Json.as(Sale.class);
    assertFinds(
        tester(
            database ->
                sale()
                    .decode(
                        envelope -> {
                          Sale sale = json.decode(envelope);
                          try (Connection connection = database.getConnection()) {
                            insert(connection, sale);
                          }
                          return sale;
                        })
                    .apply((sale, tx) -> tx.handle().execute(BALANCE, sale.amount()))),
        "message 1 was delivered twice, and its handler ran once",
        "has (S-1, 12) too much",
        "something beside the handler writes: the decoder");
  }

  @Test
  void findsAKeyThatChangesWithEachDelivery() {
    assertFinds(
        tester(
            database ->
                sale().key(sale -> UUID.randomUUID().toString()).apply(HandlerTesterTest::pay)),
        "message 1 came twice, and had another key each time",
        "the key must come from the message");
  }

  @Test
  void findsTheMessageIdTakenForTheKeyUnlessResendsKeepIt() {
    HandlerTester tester =
        tester(database -> sale().key(Key.messageId()).apply(HandlerTesterTest::pay));
    assertFinds(tester, "the key is the message id", "resendsKeepTheirId()");
    tester.resendsKeepTheirId().verify();
  }

  @Test
  void findsAHandlerThatGoesOnAfterAFailedStatement() {
    assertFinds(
        applying(
            (sale, tx) -> {
              tx.handle().execute(PAY, sale.saleId(), sale.amount());
              Savepoint before = tx.connection().setSavepoint();
              try {
                tx.handle().execute(BALANCE, sale.amount());
              } catch (RuntimeException e) {
                tx.connection().rollback(before);
              }
            }),
        "the database refused statement 2 (" + BALANCE,
        "of message 1 once",
        "lacks (17, 12)",
        "commits half an effect");
  }

  @Test
  void findsAHandlerThatDoesSomethingElseEachTime() {
    assertFinds(
        applying((sale, tx) -> tx.handle().execute(PAY, UUID.randomUUID().toString(), 1)),
        "two undisturbed runs of message 1",
        "had different effects",
        "take everything from the message");
  }

  @Test
  void findsAHandlerThatRemembersInMemoryWhatWasRolledBack() {
    assertFinds(
        tester(
            database -> {
              Set<String> seen = ConcurrentHashMap.newKeySet();
              return sale()
                  .apply(
                      (sale, tx) -> {
                        if (seen.add(sale.saleId())) {
                          pay(sale, tx);
                        }
                      });
            }),
        "the connection was lost before the commit reached the database",
        "lacks (S-1, 12)",
        "must not remember messages in memory");
  }

  @Test
  void findsAHandlerThatReckonsByItself() {
    assertFinds(
        applying(
            (sale, tx) -> {
              tx.handle().execute(PAY, sale.saleId(), sale.amount());
              int balance = tx.handle().select("select balance from seller").mapTo(int.class).one();
              tx.handle().execute("update seller set balance = ?", balance + sale.amount());
            }),
        "all messages came at once",
        "lacks (17, 42)",
        "let the database reckon");
  }

  @Test
  void saysWhatTheHandlerThrewWhereAMessageCannotBeApplied() {
    assertFinds(
        applying(
            (sale, tx) -> {
              throw new IllegalStateException("no such seller");
            }),
        "While message 1 was delivered once, undisturbed",
        "java.lang.IllegalStateException: no such seller");
  }

  @Test
  void saysThatTheEffectIsLookedForInTheWrongPlace() {
    assertFinds(
        applying((sale, tx) -> tx.handle().execute("select 1")),
        "effect(…) looks the same as before");
  }

  @Test
  void saysThatTheConsumerUsesAnotherDatabase() {
    assertFinds(
        HandlerTester.of(
                (source, database) ->
                    sale()
                        .transactions(new dev.acklast.store.JdbcTransactions(plain))
                        .apply(HandlerTesterTest::pay))
            .database(pool)
            .message("{\"saleId\": \"S-1\", \"amount\": 12}")
            .reset("truncate commission")
            .effect("select * from commission"),
        "took no connection from the data source that the tester gave it");
  }

  @Test
  void deliversMessagesThatDependOnEachOtherInOrder() {
    HandlerTester.of(
            (source, database) ->
                sale()
                    .apply(
                        (sale, tx) -> {
                          int changed =
                              sale.amount() > 0
                                  ? tx.handle().execute(PAY, "S", sale.amount())
                                  : tx.handle().execute("update commission set amount = 0");
                          assertThat(changed).isEqualTo(1);
                        }))
        .database(pool)
        .message("{\"saleId\": \"S-1\", \"amount\": 12}")
        .message("{\"saleId\": \"S-1 cancelled\", \"amount\": 0}")
        .reset("truncate commission")
        .effect("select amount from commission")
        .inOrder()
        .verify();
  }

  @Test
  void looksAtEffectsByAFunctionToo() {
    assertFinds(
        applying(HandlerTesterTest::pay).effect("the time", System::nanoTime),
        "\"the time\" has",
        "two undisturbed runs");
  }

  @Test
  void namesWhatIsMissingOfItsSettings() {
    assertThatThrownBy(HandlerTester.of((source, database) -> sale())::verify)
        .hasMessageContaining("needs database(…)");
    assertThatThrownBy(HandlerTester.of((source, database) -> sale()).database(pool)::verify)
        .hasMessageContaining("needs at least one message(…)");
  }
}
