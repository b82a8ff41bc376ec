package dev.acklast.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.Handler;
import dev.acklast.IdempotentConsumer;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Health;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;

/** What one case plays on: a queue, a database, consumers, and what was heard of them. */
final class Scene implements AutoCloseable {
  static final int MAX_ATTEMPTS = 3;
  static final Duration RETRY_DELAY = Duration.ofMillis(200);

  final BrokerHarness broker;
  final DatabaseHarness databases;
  final TestDatabase database;
  final String queue;
  final String deadLetterQueue;
  final Journal journal = new Journal();
  private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();

  Scene(BrokerHarness broker, DatabaseHarness databases) {
    this.broker = broker;
    this.databases = databases;
    this.database = new TestDatabase(databases.create());
    String name = unusedName();
    this.queue = broker.queueName(name);
    this.deadLetterQueue = broker.queueName(name + "-dead");
    broker.createQueue(queue);
  }

  /** A name for another queue, not yet created. */
  String freshName() {
    return broker.queueName(unusedName());
  }

  private static String unusedName() {
    return "orders-" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40, 1L << 41), 36);
  }

  /** Skips the case, with the harness's reason, if the broker cannot do this. */
  Scene needs(Ability ability) {
    String reason = broker.abilities().lacking().get(ability);
    Assumptions.assumeTrue(
        reason == null, () -> broker.kind() + " without " + ability + ": " + reason);
    return this;
  }

  void needsDatabaseRestart() {
    if (!databases.canRestart()) {
      throw new TestAbortedException("the database server is not the harness's to stop");
    }
  }

  void publish(String... ids) {
    broker.publish(queue, java.util.Arrays.stream(ids).map(Orders::order).toList());
  }

  void publish(Envelope message) {
    broker.publish(queue, List.of(message));
  }

  /** The fixture's consumer, without its handler. */
  ConsumerBuilder<JsonNode> consumer() {
    return IdempotentConsumer.<JsonNode>named("orders")
        .source(broker.source(queue))
        .decode(Orders::decode)
        .key(Orders::id)
        .database(database.pool())
        .maxAttempts(MAX_ATTEMPTS)
        .backoff(Backoff.fixed(RETRY_DELAY))
        .deadLetterTo(deadLetterQueue)
        .drainTimeout(Duration.ofSeconds(5))
        .listener(journal);
  }

  /** One effect row per message. */
  static Handler<Object> inserting() {
    return (order, tx) -> TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
  }

  /** Starts a consumer that the case's end closes. */
  IdempotentConsumer start(ConsumerBuilder<?> builder) {
    IdempotentConsumer consumer = builder.build();
    opened.add(consumer);
    consumer.start();
    return consumer;
  }

  IdempotentConsumer startInserting() {
    return start(consumer().apply(inserting()));
  }

  <C extends AutoCloseable> C closing(C resource) {
    opened.add(resource);
    return resource;
  }

  ConditionFactory await(String what) {
    return Awaitility.await(what)
        .atMost(broker.patience())
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50));
  }

  /** Waits as long as effects go on coming: how many come in a second is the machine's affair. */
  void awaitEffects(int count) {
    int before = -1;
    while (before < count) {
      int stalledAt = before;
      before =
          await("more than " + stalledAt + " of " + count + " effects")
              .until(database::effects, effects -> effects > stalledAt);
    }
  }

  /** Waits until the source has nothing more, be it ready or with a consumer. */
  void awaitEmptySource() {
    await("an empty source").until(() -> left(queue) == 0);
  }

  int left(String name) {
    return broker.left(name);
  }

  void awaitStatus(IdempotentConsumer consumer, Health.Status status) {
    await("health " + status).until(() -> consumer.health().status() == status);
  }

  /** Waits for so many dead letters. */
  List<Envelope> awaitDeadLetters(int count) {
    return await(count + " dead letters")
        .until(() -> broker.deadLetters(deadLetterQueue), letters -> letters.size() >= count);
  }

  List<Envelope> deadLetters() {
    return broker.deadLetters(deadLetterQueue);
  }

  @Override
  public void close() throws Exception {
    Exception failure = null;
    for (AutoCloseable resource : opened) {
      try {
        resource.close();
      } catch (Exception e) {
        failure = e;
      }
    }
    broker.tidy();
    database.close();
    databases.drop(database.address());
    if (failure != null) {
      throw failure;
    }
  }
}
