package dev.acklast.testkit.handler;

import dev.acklast.spi.Envelope;
import dev.acklast.testkit.InMemoryBroker;
import dev.acklast.testkit.InMemoryOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The world of one stage: a broker, a database without any effect, and processes. */
final class Lab implements AutoCloseable {
  /** For Acklast's tables: the user's own stay as they are. */
  static final String SCHEMA = "acklast_handler_test";

  private static final String QUEUE = "handler-test";
  private static final Duration LAST_STEP = Duration.ofSeconds(1);

  final Journal journal = new Journal();
  private final Setup setup;
  private final InMemoryBroker broker = new InMemoryBroker();
  private final List<Instance> instances = new ArrayList<>();

  Lab(Setup setup) throws SQLException {
    this.setup = setup;
    broker.createQueue(QUEUE);
    reset();
  }

  private void reset() throws SQLException {
    dropTables(setup.database());
    OwnWork.in(
        setup.database(),
        statement -> {
          for (String sql : setup.reset()) {
            statement.execute(sql);
          }
          return setup;
        });
  }

  static void dropTables(DataSource database) throws SQLException {
    OwnWork.in(
        database, statement -> statement.execute("drop schema if exists " + SCHEMA + " cascade"));
  }

  Instance start(Trouble trouble) {
    Instance instance =
        new Instance(
            setup.author(),
            broker.source(InMemoryOptions.standard().inOrder(), QUEUE),
            setup.database(),
            trouble,
            journal);
    instances.add(instance);
    instance.start();
    return instance;
  }

  void publish(List<Envelope> messages) {
    messages.forEach(message -> broker.publish(QUEUE, message));
  }

  Effect.State look() throws Exception {
    return setup.effect().look();
  }

  /** Waits until every message is off the broker, for good. */
  void awaitSettled(String doing) throws Fault {
    if (!await(this::isSettled, setup.patience())) {
      throw new Fault(
          "%s, not all deliveries were settled within %d s%s. The consumer's health: %s"
              .formatted(
                  doing, setup.patience().toSeconds(), journal.lastFailureInWords(), healths()),
          "find out what the handler waits for; patience(…) gives it longer.",
          journal.lastFailure());
    }
    if (journal.deadLetters.get() > 0) {
      throw new Fault(
          "%s, the message was dead-lettered%s".formatted(doing, journal.lastFailureInWords()),
          "a handler that is run again after a rollback or in a new process must do as it did the"
              + " first time; give the tester only messages that can be applied.",
          journal.lastFailure());
    }
  }

  /** Waits until a process has met its trouble, or can meet it no more. */
  void awaitTrouble(Instance instance, Trouble.Kind kind) {
    BooleanSupplier met = kind == Trouble.Kind.DEATH ? instance::isDead : instance::hasMetTrouble;
    await(() -> isSettled() || met.getAsBoolean(), setup.patience());
    await(met, LAST_STEP); // the ack is not the last step
  }

  private boolean isSettled() {
    return broker.left(QUEUE) == 0;
  }

  private static boolean await(BooleanSupplier condition, Duration patience) {
    try {
      Awaitility.await()
          .atMost(patience)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .until(condition::getAsBoolean);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  private List<String> healths() {
    return instances.stream()
        .filter(instance -> !instance.isDead())
        .map(instance -> instance.health().status() + " " + instance.health().reasons())
        .toList();
  }

  @Override
  public void close() {
    instances.forEach(Instance::close);
  }
}
