package dev.acklast.chaos;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.Backoff;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Json;
import dev.acklast.Key;
import dev.acklast.store.JdbcTransactions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A consumer in a JVM of its own, to be killed, stopped and starved. It is told what to do by its
 * environment, and drains on SIGTERM.
 */
final class Worker {
  static final String KIND = "CHAOS_KIND";
  static final String NAME = "CHAOS_WORKER";
  static final String FOLDER = "CHAOS_FOLDER";
  static final String BREAKAGE = "CHAOS_BREAKAGE";
  static final String DATABASE_URL = "CHAOS_DATABASE_URL";
  static final String DATABASE_USER = "CHAOS_DATABASE_USER";
  static final String DATABASE_PASSWORD = "CHAOS_DATABASE_PASSWORD";

  private static final int LANES = 4;
  private static final Duration DRAIN = Duration.ofSeconds(15);

  /** Far longer than a run, so that nothing published in it expires; far shorter than 2001. */
  private static final Duration RETENTION = Duration.ofHours(12);

  private Worker() {}

  /**
   * Consumes until it is told to end.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    LogLevel.set(Level.INFO, Level.ERROR);
    Map<String, String> environment = System.getenv();
    String name = required(environment, NAME);
    Path folder = Path.of(required(environment, FOLDER));
    Journal journal = new Journal(folder.resolve(name + Journal.SUFFIX), name);
    HikariDataSource pool = pool(environment, LANES + 2);
    PoolHog.watch(pool, folder, LANES + 2);
    IdempotentConsumer consumer = consumer(environment, name, journal, pool);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(consumer, pool), "worker-drain"));
    consumer.start();
    new CountDownLatch(1).await(); // the consumer's own threads keep no process alive
  }

  private static IdempotentConsumer consumer(
      Map<String, String> environment, String name, Journal journal, HikariDataSource pool) {
    BrokerKind kind = BrokerKind.of(required(environment, KIND));
    Breakage breakage = Breakage.of(required(environment, BREAKAGE));
    HikariDataSource apart =
        breakage == Breakage.NONE ? pool : pool(environment, LANES + 1); // for what breaks it
    return IdempotentConsumer.<JsonNode>named("chaos")
        .scope(Tables.SCOPE)
        .source(breakage.in(kind.source(environment), apart))
        .decode(Json.tree())
        .key(Key.pointer("/id"))
        .eventTime((message, envelope) -> time(message))
        .transactions(breakage.in(new JdbcTransactions(pool), apart))
        .database(pool)
        .concurrency(LANES)
        .maxAttempts(Workload.MAX_ATTEMPTS)
        .backoff(Backoff.exponential(Duration.ofMillis(250), Duration.ofSeconds(2)))
        .nonRetryable(TransferHandler.RefusedException.class)
        .handlerTimeout(Duration.ofSeconds(20))
        .drainTimeout(DRAIN)
        .retention(RETENTION)
        .listener(new JournalListener(journal))
        .apply(new TransferHandler(name, journal))
        .build();
  }

  private static @Nullable Instant time(JsonNode message) {
    return message.hasNonNull("at") ? Instant.parse(message.path("at").asText()) : null;
  }

  private static HikariDataSource pool(Map<String, String> environment, int size) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(required(environment, DATABASE_URL));
    pool.setUsername(required(environment, DATABASE_USER));
    pool.setPassword(required(environment, DATABASE_PASSWORD));
    pool.setMaximumPoolSize(size);
    pool.setMinimumIdle(0);
    pool.setConnectionTimeout(3_000);
    pool.setInitializationFailTimeout(-1);
    return new HikariDataSource(pool);
  }

  private static void drain(IdempotentConsumer consumer, HikariDataSource pool) {
    try {
      consumer.close();
      pool.close();
      Runtime.getRuntime().halt(0); // or the signal would decide the exit code
    } catch (RuntimeException | Error e) {
      Runtime.getRuntime().halt(1);
    }
  }

  private static String required(Map<String, String> environment, String name) {
    return Objects.requireNonNull(environment.get(name), name);
  }
}
