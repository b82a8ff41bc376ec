package dev.acklast.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.IdempotentConsumer;
import dev.acklast.InvalidMessageException;
import dev.acklast.Json;
import dev.acklast.Key;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import dev.acklast.testkit.contract.SourceOpener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A consumer in a JVM of its own, to be killed; both the process and what starts it. It is told
 * what to do by its environment, as a command line shows credentials to everybody, and ends when
 * its standard input does.
 */
final class WorkerProcess implements AutoCloseable {
  static final int MAX_ATTEMPTS = 3;
  private final Process process;

  private WorkerProcess(Process process) {
    this.process = process;
  }

  /**
   * What a worker consumes, and how.
   *
   * @param opener opens the queue
   * @param uri where the broker is
   * @param queue the queue's name
   * @param handling how long the handler takes for each message
   */
  record Work(Class<? extends SourceOpener> opener, String uri, String queue, Duration handling) {}

  static WorkerProcess start(Work work, Database database, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerProcess.class.getName()));
    Map<String, String> settings = builder.environment();
    settings.put("WORKER_OPENER", work.opener().getName());
    settings.put("WORKER_URI", work.uri());
    settings.put("WORKER_QUEUE", work.queue());
    settings.put("WORKER_HANDLING", work.handling().toString());
    settings.put("WORKER_DATABASE_URL", database.url);
    settings.put("WORKER_DATABASE_USER", database.server.user());
    settings.put("WORKER_DATABASE_PASSWORD", database.server.password());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new WorkerProcess(builder.start());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** As kill -9 does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("a killed process lives on");
    }
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }

  private static Source source(Map<String, String> settings) throws ReflectiveOperationException {
    var constructor = Class.forName(settings.get("WORKER_OPENER")).getDeclaredConstructor();
    constructor.setAccessible(true);
    return ((SourceOpener) constructor.newInstance())
        .open(settings.get("WORKER_URI"), settings.get("WORKER_QUEUE"));
  }

  /** Some messages end the JVM before anybody has read their key. */
  private static JsonNode decode(Envelope envelope) throws InvalidMessageException {
    JsonNode order = Json.tree().decode(envelope);
    if (order.path("orderId").asText().startsWith("fatal")) {
      Runtime.getRuntime().halt(137);
    }
    return order;
  }

  /**
   * The process: each message increments a balance and leaves a row, so that any doubling shows.
   */
  public static void main(String[] arguments) throws Exception {
    Map<String, String> settings = System.getenv();
    Duration handling = Duration.parse(settings.get("WORKER_HANDLING"));
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(settings.get("WORKER_DATABASE_URL"));
    pool.setUsername(settings.get("WORKER_DATABASE_USER"));
    pool.setPassword(settings.get("WORKER_DATABASE_PASSWORD"));
    pool.setMaximumPoolSize(6);
    try (HikariDataSource database = new HikariDataSource(pool);
        IdempotentConsumer consumer =
            IdempotentConsumer.<JsonNode>named("orders")
                .source(source(settings))
                .decode(WorkerProcess::decode)
                .key(Key.pointer("/orderId"))
                .database(database)
                .maxAttempts(MAX_ATTEMPTS)
                .apply(
                    (order, tx) -> {
                      if (!handling.isZero()) {
                        tx.handle().execute("select pg_sleep(?)", handling.toMillis() / 1000.0);
                      }
                      tx.handle()
                          .execute("insert into effect values (?, ?)", tx.key(), tx.attempt());
                      tx.handle()
                          .execute(
                              "update balance set amount = amount + 1 where id = ?",
                              Math.floorMod(tx.key().hashCode(), 50));
                    })
                .start()) {
      while (System.in.read() >= 0) {
        // Whatever is said here has no meaning.
      }
    }
  }
}
