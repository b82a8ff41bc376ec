package dev.acklast.demo;

import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.runner.Acklast;
import dev.acklast.servers.JavaProcess;
import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.RabbitServer;
import dev.acklast.servers.Servers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The servers of the demonstration and what runs on them: a database for each consumer, one broker.
 * Thread-safe.
 */
final class Stage implements AutoCloseable {
  static final String ACKLAST_DATABASE = "shop";
  static final String USUAL_DATABASE = "shop_usual";

  /** Small and quick to start: four of them share the machine with two servers. */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final PostgresServer postgres;
  private final RabbitServer rabbit;
  private final Path example;
  private final String acklastUrl;
  private final String usualUrl;

  private Stage(PostgresServer postgres, RabbitServer rabbit, Path example) {
    this.postgres = postgres;
    this.rabbit = rabbit;
    this.example = example;
    this.acklastUrl = postgres.createDatabase(ACKLAST_DATABASE);
    this.usualUrl = postgres.createDatabase(USUAL_DATABASE);
  }

  /**
   * Starts the servers.
   *
   * @param example the folder of the commissions example
   * @throws IllegalStateException if they cannot be started; the message says what to do
   */
  static Stage build(Path example) {
    PostgresServer postgres = Servers.postgres();
    RabbitServer rabbit = null;
    try {
      rabbit = Servers.rabbit();
      if (!rabbit.canRestart() || !postgres.canRestart()) {
        throw new IllegalStateException(
            "The demo restarts its servers, and so uses none of yours: unset"
                + " ACKLAST_RABBITMQ_URI and ACKLAST_DATABASE_URL");
      }
      return new Stage(postgres, rabbit, example);
    } catch (RuntimeException e) {
      if (rabbit != null) {
        rabbit.close();
      }
      postgres.close();
      throw e;
    }
  }

  String describe() {
    return postgres + "; " + rabbit;
  }

  PostgresServer postgres() {
    return postgres;
  }

  RabbitServer rabbit() {
    return rabbit;
  }

  ConnectionFactory broker() {
    return rabbit.connectionFactory();
  }

  Path schema() {
    return example.resolve("schema.sql");
  }

  Path configuration() {
    return example.resolve("commissions.yaml");
  }

  String acklastUrl() {
    return acklastUrl;
  }

  Shop acklastShop() {
    return new Shop(postgres.dataSourceOf(acklastUrl));
  }

  Shop usualShop() {
    return new Shop(postgres.dataSourceOf(usualUrl));
  }

  /** {@code acklast run commissions.yaml}, as a user runs it. */
  JavaProcess.Program acklastConsumer() {
    return new JavaProcess.Program(
        Acklast.class.getName(),
        List.of("run", configuration().toString()),
        addresses(acklastUrl),
        JVM_OPTIONS);
  }

  JavaProcess.Program usualConsumer() {
    return new JavaProcess.Program(
        UsualConsumer.class.getName(), List.of(), addresses(usualUrl), JVM_OPTIONS);
  }

  private Map<String, String> addresses(String databaseUrl) {
    return Map.of(
        UsualConsumer.AMQP_URI, rabbit.amqpUri(),
        UsualConsumer.DB_URL, databaseUrl,
        UsualConsumer.DB_USER, postgres.user(),
        UsualConsumer.DB_PASSWORD, postgres.password());
  }

  /** Messages that wait or are in work, dead letters aside. */
  long unfinished() {
    return rabbit.mainVirtualHost().queues().stream()
        .filter(queue -> !queue.name().endsWith(Queues.deadLettersOf("")))
        .mapToLong(queue -> queue.ready() + queue.unacked())
        .sum();
  }

  /** Messages that wait in a queue. */
  long ready(String queue) {
    return rabbit.queue(queue).ready();
  }

  /** Whether a queue has at least so many consumers. */
  boolean isConsumed(String queue, int consumers) {
    return rabbit.queue(queue).consumers() >= consumers;
  }

  @Override
  public void close() {
    rabbit.close();
    postgres.close();
  }
}
