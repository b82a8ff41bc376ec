package dev.acklast.servers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Starts the real servers that tests, demonstrations and benchmarks use.
 *
 * <p>Which ones: the system property {@code acklast.servers} says {@code native}, {@code docker} or
 * {@code own}. Without it, those that the environment names are used ({@code ACKLAST_DATABASE_URL}
 * with {@code ACKLAST_DATABASE_USER} and {@code ACKLAST_DATABASE_PASSWORD}; {@code
 * ACKLAST_RABBITMQ_URI} with {@code ACKLAST_RABBITMQ_MANAGEMENT}; {@code ACKLAST_SQS_ENDPOINT} with
 * the usual variables of AWS; {@code ACKLAST_KAFKA_BOOTSTRAP}); else Docker if an engine can be
 * reached; else child processes of this JVM: PostgreSQL, ElasticMQ and Kafka from the class path,
 * RabbitMQ as installed on this machine.
 *
 * <p>Private servers listen on loopback only and end with this JVM, also when it is killed (on
 * Linux). Thread-safe.
 */
public final class Servers {
  private static @Nullable PostgresServer sharedPostgres;
  private static @Nullable RabbitServer sharedRabbit;
  private static @Nullable SqsServer sharedSqs;
  private static @Nullable KafkaServer sharedKafka;

  private Servers() {}

  /** A new PostgreSQL server, running; the caller closes it. */
  public static PostgresServer postgres() {
    return postgres(Map.of());
  }

  /**
   * A new PostgreSQL server, running; the caller closes it.
   *
   * @param settings of the server, as in {@code postgresql.conf}, such as {@code max_connections};
   *     {@code fsync} and {@code synchronous_commit} are on unless set here
   * @throws IllegalStateException if it does not start; the message says why and what to do
   * @throws UnsupportedOperationException if there are settings and the server is the user's own
   */
  public static PostgresServer postgres(Map<String, String> settings) {
    PostgresServer server =
        switch (kindOf(OwnServers.DATABASE_URL)) {
          case OWN -> OwnServers.postgres(System.getenv(), settings);
          case DOCKER -> DockerPostgres.create(durable(settings));
          case NATIVE -> NativePostgres.create(durable(settings), UnprivilegedUser.detect());
        };
    return server.started(settings);
  }

  /** A new RabbitMQ server, running; the caller closes it. */
  public static RabbitServer rabbit() {
    return rabbit(RabbitOptions.defaults());
  }

  /**
   * A new RabbitMQ server, running; the caller closes it.
   *
   * @throws IllegalStateException if it does not start; the message says why and what to do
   * @throws UnsupportedOperationException if there are options and the server is the user's own
   */
  public static RabbitServer rabbit(RabbitOptions options) {
    RabbitServer server =
        switch (kindOf(OwnServers.RABBITMQ_URI)) {
          case OWN -> OwnServers.rabbit(System.getenv(), options);
          case DOCKER -> DockerRabbit.create(options);
          case NATIVE -> NativeRabbit.create(options);
        };
    return server.started();
  }

  /** A new Kafka broker, running; the caller closes it. */
  public static KafkaServer kafka() {
    return kafka(Map.of());
  }

  /**
   * A new Kafka broker, running; the caller closes it.
   *
   * @param settings of the broker, as in {@code server.properties}
   * @throws IllegalStateException if it does not start; the message says why and what to do
   * @throws UnsupportedOperationException if there are settings and the broker is the user's own
   */
  public static KafkaServer kafka(Map<String, String> settings) {
    KafkaServer server =
        switch (bundled(OwnServers.KAFKA_BOOTSTRAP)) {
          case OWN -> OwnServers.kafka(System.getenv(), settings);
          case DOCKER -> DockerKafka.create(settings);
          case NATIVE -> NativeKafka.create(settings);
        };
    return server.started();
  }

  /**
   * A new server that speaks SQS, running; the caller closes it.
   *
   * @throws IllegalStateException if it does not start; the message says why and what to do
   */
  public static SqsServer sqs() {
    SqsServer server =
        switch (bundled(OwnServers.SQS_ENDPOINT)) {
          case OWN -> OwnServers.sqs(System.getenv());
          case DOCKER -> DockerSqs.create();
          case NATIVE -> NativeSqs.create();
        };
    return server.started();
  }

  /**
   * This JVM's one PostgreSQL server, started at the first call and again if it does not run. Each
   * test takes a database of its own with {@link PostgresServer#createDatabase}. Not to be closed.
   */
  public static synchronized PostgresServer sharedPostgres() {
    PostgresServer server = sharedPostgres;
    if (server == null) {
      server = postgres();
      closeAtExit(server);
      sharedPostgres = server;
    }
    server.start();
    return server;
  }

  /**
   * This JVM's one RabbitMQ server, started at the first call and again if it does not run. Each
   * test takes a virtual host of its own with {@link RabbitServer#virtualHost}. Not to be closed.
   */
  public static synchronized RabbitServer sharedRabbit() {
    RabbitServer server = sharedRabbit;
    if (server == null) {
      server = rabbit();
      closeAtExit(server);
      sharedRabbit = server;
    } else if (!server.isRunning()) {
      server.start();
    }
    return server;
  }

  /**
   * This JVM's one server that speaks SQS, started at the first call and again if it does not run.
   * Each test takes queues of its own. Not to be closed.
   */
  public static synchronized SqsServer sharedSqs() {
    SqsServer server = sharedSqs;
    if (server == null) {
      server = sqs();
      closeAtExit(server);
      sharedSqs = server;
    }
    server.start();
    return server;
  }

  /**
   * This JVM's one Kafka broker, started at the first call and again if it does not run. Each test
   * takes topics and groups of its own. Not to be closed.
   */
  public static synchronized KafkaServer sharedKafka() {
    KafkaServer server = sharedKafka;
    if (server == null) {
      server = kafka();
      closeAtExit(server);
      sharedKafka = server;
    } else if (!server.isRunning()) {
      server.start();
    }
    return server;
  }

  /** A lower-case identifier that was not there before: for databases, queues, virtual hosts. */
  public static String uniqueName(String prefix) {
    String digits = Long.toString(ThreadLocalRandom.current().nextLong(1L << 52, 1L << 53), 36);
    return prefix + "_" + digits;
  }

  /** One line about which servers are used, without credentials. */
  public static String describe() {
    return "PostgreSQL: "
        + phrase(kindOf(OwnServers.DATABASE_URL), OwnServers.DATABASE_URL)
        + "; RabbitMQ: "
        + phrase(kindOf(OwnServers.RABBITMQ_URI), OwnServers.RABBITMQ_URI)
        + "; SQS: "
        + phrase(bundled(OwnServers.SQS_ENDPOINT), OwnServers.SQS_ENDPOINT)
        + "; Kafka: "
        + phrase(bundled(OwnServers.KAFKA_BOOTSTRAP), OwnServers.KAFKA_BOOTSTRAP);
  }

  private static String phrase(ServerKind kind, String variable) {
    return switch (kind) {
      case OWN -> "your own (" + variable + ")";
      case DOCKER -> "Docker containers";
      case NATIVE -> "native child processes";
    };
  }

  private static ServerKind kindOf(String variable) {
    return ServerKind.choose(
        System.getProperty(ServerKind.PROPERTY),
        System.getenv(),
        variable,
        () -> DockerProbe.isReachable(System.getenv()));
  }

  /**
   * Of a server that comes with the class path: whoever names servers of his own need not have one
   * of these.
   */
  private static ServerKind bundled(String variable) {
    String property = System.getProperty(ServerKind.PROPERTY);
    boolean named = !System.getenv().getOrDefault(variable, "").isBlank();
    return "own".equals(property) && !named ? ServerKind.NATIVE : kindOf(variable);
  }

  private static Map<String, String> durable(Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("fsync", "on");
    all.put("synchronous_commit", "on");
    all.putAll(settings);
    return all;
  }

  private static void closeAtExit(AutoCloseable server) {
    Runnable close =
        () -> {
          try {
            server.close();
          } catch (Exception e) {
            // The JVM ends; what is left behind is deleted by the next one.
          }
        };
    Runtime.getRuntime().addShutdownHook(new Thread(close, "acklast-server-closer"));
  }
}
