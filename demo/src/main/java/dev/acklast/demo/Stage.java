package dev.acklast.demo;

import dev.acklast.runner.Acklast;
import dev.acklast.servers.JavaProcess;
import dev.acklast.servers.PostgresServer;
import dev.acklast.servers.Servers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The servers of the demonstration and what runs on them: a database for each consumer, one broker.
 * Thread-safe.
 */
final class Stage implements AutoCloseable {
  static final String ACKLAST_DATABASE = "shop";
  static final String USUAL_DATABASE = "shop_usual";

  /** What {@code acklast run} logs of each consumer that it has started. */
  private static final String ACKLAST_AT_WORK = " consumes ";

  /** Small and quick to start: four of them share the machine with two servers. */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  private final PostgresServer postgres;
  private final Broker broker;
  private final BrokerKind kind;
  private final Path example;
  private final String acklastUrl;
  private final String usualUrl;

  private Stage(PostgresServer postgres, Broker broker, BrokerKind kind, Path example) {
    this.postgres = postgres;
    this.broker = broker;
    this.kind = kind;
    this.example = example;
    this.acklastUrl = postgres.createDatabase(ACKLAST_DATABASE);
    this.usualUrl = postgres.createDatabase(USUAL_DATABASE);
  }

  /**
   * Starts the servers, both at once.
   *
   * @param example the folder of the commissions example
   * @throws IllegalStateException if they cannot be started; the message says what to do
   */
  static Stage build(BrokerKind kind, Path example) {
    CompletableFuture<Broker> starting = CompletableFuture.supplyAsync(kind::start);
    PostgresServer postgres = null;
    try {
      postgres = Servers.postgres();
      Broker broker = await(starting);
      if (!broker.canRestart() || !postgres.canRestart()) {
        throw new IllegalStateException(
            "The demo restarts its servers, and so uses none of yours: unset the variables"
                + " ACKLAST_… that name them");
      }
      return new Stage(postgres, broker, kind, example);
    } catch (RuntimeException e) {
      if (postgres != null) {
        postgres.close();
      }
      starting.thenAccept(Broker::close);
      throw e;
    }
  }

  private static Broker await(CompletableFuture<Broker> starting) {
    try {
      return starting.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  String describe() {
    return postgres + "; " + broker;
  }

  PostgresServer postgres() {
    return postgres;
  }

  Broker broker() {
    return broker;
  }

  Path schema() {
    return example.resolve("schema.sql");
  }

  Path configuration() {
    return example.resolve(kind.configuration);
  }

  Shop acklastShop() {
    return new Shop(postgres.dataSourceOf(acklastUrl));
  }

  Shop usualShop() {
    return new Shop(postgres.dataSourceOf(usualUrl));
  }

  /** {@code acklast run commissions.yaml}, as a user runs it. */
  Crew acklastCrew(Path logs) {
    JavaProcess.Program program =
        new JavaProcess.Program(
            Acklast.class.getName(),
            List.of("run", configuration().toString()),
            acklastEnvironment(),
            JVM_OPTIONS);
    return new Crew("acklast", program, ACKLAST_AT_WORK, logs);
  }

  Crew usualCrew(Path logs) {
    JavaProcess.Program program =
        new JavaProcess.Program(
            kind.usualConsumer.getName(), List.of(), environment(usualUrl), JVM_OPTIONS);
    return new Crew("usual", program, UsualEffect.AT_WORK, logs);
  }

  /** What Acklast's configuration reads, passwords included. */
  Map<String, String> acklastEnvironment() {
    return environment(acklastUrl);
  }

  private Map<String, String> environment(String databaseUrl) {
    Map<String, String> variables = new HashMap<>(broker.environment());
    variables.put(UsualEffect.DB_URL, databaseUrl);
    variables.put(UsualEffect.DB_USER, postgres.user());
    variables.put(UsualEffect.DB_PASSWORD, postgres.password());
    return variables;
  }

  @Override
  public void close() {
    broker.close();
    postgres.close();
  }
}
