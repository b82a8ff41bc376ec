package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.acklast.Backoff;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Json;
import dev.acklast.Key;
import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Envelope;
import dev.acklast.testkit.InMemoryBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects in a real PostgreSQL, applied by a real consumer on the broker in memory. */
class SqlEffectTest {
  private final InMemoryBroker broker = new InMemoryBroker();
  private final AtomicInteger published = new AtomicInteger();
  private DataSource dataSource;
  private Jdbi jdbi;

  @BeforeEach
  void createDatabase() {
    PostgresServer server = Servers.sharedPostgres();
    dataSource = server.dataSourceOf(server.createDatabase(Servers.uniqueName("effect")));
    jdbi = Jdbi.create(dataSource);
    broker.createQueue("q");
    broker.createQueue("q.dlq");
  }

  private void publish(String body) {
    broker.publish(
        "q",
        Envelope.of("q", body.getBytes(StandardCharsets.UTF_8))
            .messageId("m" + published.incrementAndGet())
            .build());
  }

  private void consume(String sql) {
    int before = broker.messages("q.dlq").size();
    try (IdempotentConsumer consumer =
        IdempotentConsumer.<com.fasterxml.jackson.databind.JsonNode>named("effect")
            .source(broker.source("q"))
            .decode(Json.tree())
            .key(Key.pointer("/id"))
            .deadLetterTo("q.dlq")
            .database(dataSource)
            .concurrency(1)
            .maxAttempts(2)
            .backoff(Backoff.fixed(Duration.ofMillis(50)))
            .applyAll(new SqlEffect(SqlParser.parse(sql)))
            .start()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                int settled = count("acklast_claim") + broker.messages("q.dlq").size() - before;
                return settled >= published.get() && broker.unsettled("q") == 0;
              });
      assertThat(consumer.health().reasons()).isEmpty();
    }
  }

  private int count(String table) {
    return jdbi.withHandle(
        handle ->
            handle
                    .createQuery("select to_regclass('" + table + "') is not null")
                    .mapTo(boolean.class)
                    .one()
                ? handle.createQuery("select count(*) from " + table).mapTo(int.class).one()
                : 0);
  }

  private List<Map<String, Object>> rows(String query) {
    return jdbi.withHandle(handle -> handle.createQuery(query).mapToMap().list());
  }

  private String death() {
    assertThat(broker.messages("q.dlq")).hasSize(1);
    String report = broker.messages("q.dlq").get(0).header(DeathReport.HEADER);
    assertThat(report).isNotNull().doesNotContain("SECRET");
    return report;
  }

  private void execute(String sql) {
    jdbi.useHandle(handle -> handle.execute(sql));
  }

  @Test
  void valuesArriveAsTheColumnsTypesWithAllDigits() {
    execute(
        "create table t(id text, u uuid, at timestamptz, doc jsonb, big numeric, n int, l bigint,"
            + " yes boolean, note text, city text, key text, whole jsonb, message text)");
    publish(
        """
        {"id":7,"u":"8c5f6f0a-7d7c-4a3a-9d3c-0d3ed8c7a1b2","at":"2026-03-01T10:00:00+02:00",
         "doc":{"a":[1,2.50]},"big":12345678901234567890.1230,"n":5,"l":9007199254740993,
         "yes":true,"note":null,"customer":{"home city":"Zürich"}}
        """);
    consume(
        "insert into t values (:id, :u, :at, :doc, :big, :n, :l, :yes, :note,"
            + " :customer.\"home city\", :acklast.key, :acklast.payload, :acklast.message_id)");
    Map<String, Object> row =
        rows("select id, u::text u, at::text at, doc::text doc, big::text big, n, l, yes, note,"
                + " city, key, whole->>'l' whole, message from t")
            .get(0);
    assertThat(row)
        .containsEntry("id", "7")
        .containsEntry("u", "8c5f6f0a-7d7c-4a3a-9d3c-0d3ed8c7a1b2")
        .containsEntry("doc", "{\"a\": [1, 2.50]}")
        .containsEntry("big", "12345678901234567890.1230")
        .containsEntry("n", 5)
        .containsEntry("l", 9007199254740993L)
        .containsEntry("yes", true)
        .containsEntry("note", null)
        .containsEntry("city", "Zürich")
        .containsEntry("key", "7")
        .containsEntry("whole", "9007199254740993")
        .containsEntry("message", "m1");
    assertThat((String) row.get("at")).startsWith("2026-03-01");
  }

  @Test
  void severalStatementsRunForOneMessageAfterTheOther() {
    execute("create table seller(id int, balance numeric)");
    execute("insert into seller values (1, 0)");
    execute("create table history(n serial, sale text, balance numeric)");
    for (int i = 1; i <= 150; i++) {
      publish("{\"id\":\"s%d\",\"seller\":1,\"amount\":1.50}".formatted(i));
    }
    consume(
        "update seller set balance = balance + :amount where id = :seller;"
            + " insert into history(sale, balance) select :id, balance from seller where id = :seller"
            + " -- what it was then");
    List<Map<String, Object>> history =
        rows("select sale, balance::text b from history order by n");
    assertThat(history).hasSize(150);
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= 150; i++) {
      expected.add(
          new java.math.BigDecimal("1.50").multiply(java.math.BigDecimal.valueOf(i)).toString());
    }
    assertThat(history)
        .extracting(row -> row.get("b"))
        .containsExactlyElementsOf(List.copyOf(expected));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "; select 1"})
  void failingMessagesAreDeadLetteredAloneAndAllOthersApplied(String more) {
    execute("create table t(id int check (id % 50 <> 0))");
    for (int i = 1; i <= 200; i++) {
      publish("{\"id\":%d}".formatted(i));
    }
    consume("insert into t values (:id)" + more);
    assertThat(rows("select count(*) n, count(distinct id) d from t").get(0))
        .containsEntry("n", 196L)
        .containsEntry("d", 196L);
    // Had nobody been blamed, each message of a batch would have run in a transaction of its own.
    assertThat((Long) rows("select count(distinct xmin::text) n from t").get(0).get("n"))
        .isLessThan(100);
    assertThat(broker.messages("q.dlq"))
        .hasSize(4)
        .allSatisfy(
            dead ->
                assertThat(dead.header(DeathReport.HEADER))
                    .contains(
                        "\"MAX_ATTEMPTS\"", "\"attempts\":2", "SQLSTATE 23514", "t_id_check"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":1,\"note\":{}}",
        "{\"id\":1,\"other\":\"SECRET\"}",
        "{\"id\":1,\"customer\":null}",
        "{\"id\":1,\"customer\":[\"SECRET\"]}"
      })
  void aMissingFieldMakesTheMessageInvalidAtOnce(String body) {
    execute("create table t(id int, name text)");
    publish(body);
    consume("insert into t values (:id, :customer.name)");
    assertThat(death()).contains("\"INVALID\"", "the message lacks the field customer.name");
  }

  @ParameterizedTest
  @Tag("D12")
  @ValueSource(strings = {"\"SECRET\\u0000\"", "\"SECRET\\ud800\"", "1e999999999", "-1e-20000"})
  void whatPostgresqlCannotStoreMakesTheMessageInvalidAtOnce(String value) {
    execute("create table t(id int, v text)");
    publish("{\"id\":1,\"v\":" + value + "}");
    consume("insert into t values (:id, :v)");
    assertThat(death()).contains("\"INVALID\"", "in the field v");
  }

  @Test
  @Tag("E11")
  void textsOfFailedStatementsHoldNoValues() {
    execute("create table t(id int, n int)");
    publish("{\"id\":1,\"n\":\"SECRET-4711\"}");
    consume("insert into t values (:id, :n)");
    assertThat(death()).contains("SQLSTATE 22P02");
    assertThat(rows("select last_error from acklast_attempt").toString()).doesNotContain("SECRET");
  }
}
