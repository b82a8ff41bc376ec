package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.Handler;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Json;
import dev.acklast.Key;
import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Health;
import dev.acklast.testkit.InMemoryBroker;
import dev.acklast.testkit.InMemoryOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What one test plays on: a queue in memory, a PostgreSQL database, consumers, what they told and
 * what they logged. No test may meet a fault that Acklast itself logs as its own.
 */
final class Stage implements BeforeEachCallback, AfterEachCallback {
  static final String QUEUE = "orders";
  static final String DEAD = "orders.dlq";
  static final int MAX_ATTEMPTS = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final ObjectMapper JSON = new ObjectMapper();

  final InMemoryBroker broker = new InMemoryBroker();
  final Heard heard = new Heard();
  private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
  private final Supplier<PostgresServer> server;
  Database database;
  Logs logs;

  Stage() {
    this(Servers::sharedPostgres);
  }

  /** With a server that the test may stop without disturbing others. */
  Stage(Supplier<PostgresServer> server) {
    this.server = server;
  }

  @Override
  public void beforeEach(ExtensionContext test) {
    database = new Database(server.get());
    logs = new Logs();
    broker.createQueue(QUEUE);
  }

  @Override
  public void afterEach(ExtensionContext test) throws Exception {
    test.getExecutionException().ifPresent(failure -> tell());
    try {
      for (AutoCloseable resource : opened) {
        resource.close();
      }
    } finally {
      logs.close();
      database.close();
    }
    assertThat(logs.lines()).noneMatch(line -> line.contains("A fault in Acklast itself"));
  }

  /** For whoever has to find out why a test failed. */
  private void tell() {
    System.err.println(
        String.join("\n", heard.lines().subList(0, Math.min(200, heard.lines().size()))));
    System.err.println(
        String.join("\n", logs.lines().subList(0, Math.min(200, logs.lines().size()))));
  }

  /** The fixture's consumer, without its handler. */
  ConsumerBuilder<JsonNode> consumer() {
    return consumer("orders", InMemoryOptions.standard());
  }

  ConsumerBuilder<JsonNode> consumer(String name, InMemoryOptions options) {
    return IdempotentConsumer.<JsonNode>named(name)
        .source(broker.source(options, QUEUE))
        .decode(Json.tree())
        .key(Key.pointer("/orderId"))
        .database(database.pool())
        .maxAttempts(MAX_ATTEMPTS)
        .backoff(Backoff.fixed(Duration.ofMillis(200)))
        .drainTimeout(Duration.ofSeconds(10))
        .listener(heard);
  }

  /** One effect row per message. */
  static Handler<Object> inserting() {
    return (order, tx) ->
        tx.handle().execute("insert into effect values (?, ?)", tx.key(), tx.attempt());
  }

  IdempotentConsumer start(ConsumerBuilder<?> builder) {
    IdempotentConsumer consumer = closing(builder.build());
    consumer.start();
    return consumer;
  }

  <C extends AutoCloseable> C closing(C resource) {
    opened.add(0, resource);
    return resource;
  }

  void publish(String... ids) {
    for (String id : ids) {
      broker.publish(QUEUE, order(id));
    }
  }

  /** Publishes {@code prefix-0}, {@code prefix-1}, … */
  void publishMany(String prefix, int count) {
    publish(IntStream.range(0, count).mapToObj(i -> prefix + "-" + i).toArray(String[]::new));
  }

  static Envelope order(String id) {
    return envelope("{\"orderId\":\"" + id + "\"}", "m-" + id);
  }

  static Envelope envelope(String body, String messageId) {
    return Envelope.of("?", body.getBytes(StandardCharsets.UTF_8))
        .messageId(messageId)
        .contentType("application/json")
        .build();
  }

  static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50));
  }

  void awaitEffects(int count) {
    await(count + " effects").until(() -> database.effects() >= count);
  }

  /** Waits until the source has nothing more: ready, with a consumer, or delayed. */
  void awaitEmptySource() {
    await("an empty source").until(() -> left() == 0);
  }

  int left() {
    return broker.left(QUEUE);
  }

  /** Waits until it is down for this reason: before it is connected, it is down for another. */
  void awaitDown(IdempotentConsumer consumer, String reason) {
    await("health DOWN for " + reason)
        .until(
            consumer::health,
            health ->
                health.status() == Health.Status.DOWN
                    && health.reasons().toString().contains(reason));
  }

  void awaitStatus(IdempotentConsumer consumer, Health.Status status) {
    await("health " + status).until(() -> consumer.health().status() == status);
  }

  List<Envelope> awaitDead(int count) {
    return await(count + " dead letters").until(this::dead, letters -> letters.size() >= count);
  }

  List<Envelope> dead() {
    return broker.hasQueue(DEAD) ? broker.messages(DEAD) : List.of();
  }

  /** What the header of a dead letter says. */
  static JsonNode death(Envelope letter) {
    try {
      return JSON.readTree(String.valueOf(letter.header(DeathReport.HEADER)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
