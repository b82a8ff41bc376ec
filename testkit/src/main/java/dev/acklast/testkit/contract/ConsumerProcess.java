package dev.acklast.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.Handler;
import dev.acklast.IdempotentConsumer;
import dev.acklast.MessageTransaction;
import dev.acklast.spi.Source;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The contract's consumer in a JVM of its own, which cases let die. It is told what to do by
 * environment variables, since a command line shows what it is given to everybody. Keys that begin
 * with {@code poison} fail, those that begin with {@code killer} end the JVM in the handler. It
 * ends when its standard input does, so that it does not outlive the process that started it.
 */
public final class ConsumerProcess {
  static final String OPENER = "ACKLAST_CHILD_OPENER";
  static final String BROKER_URI = "ACKLAST_CHILD_BROKER_URI";
  static final String QUEUE = "ACKLAST_CHILD_QUEUE";
  static final String DEAD_LETTER = "ACKLAST_CHILD_DEAD_LETTER";
  static final String DATABASE_URL = "ACKLAST_CHILD_DATABASE_URL";
  static final String DATABASE_USER = "ACKLAST_CHILD_DATABASE_USER";
  static final String DATABASE_PASSWORD = "ACKLAST_CHILD_DATABASE_PASSWORD";
  static final String CRASH_STEP = "ACKLAST_CHILD_CRASH_STEP";
  static final String CRASH_KEY = "ACKLAST_CHILD_CRASH_KEY";

  private ConsumerProcess() {}

  /**
   * Consumes until standard input ends.
   *
   * @param args none
   * @throws Exception if a variable is missing or wrong
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> settings = System.getenv();
    ConsumerBuilder<JsonNode> builder =
        consumer(source(settings), database(settings), require(settings, DEAD_LETTER));
    String step = settings.get(CRASH_STEP);
    if (step != null) {
      builder.listener(new CrashingListener(step, require(settings, CRASH_KEY)));
    }
    try (IdempotentConsumer consumer = builder.start()) {
      awaitEndOfInput();
    }
  }

  /** What the process consumes with, for whoever goes on where it died. */
  static ConsumerBuilder<JsonNode> consumer(Source source, DataSource database, String deadLetter) {
    return IdempotentConsumer.<JsonNode>named("orders")
        .source(source)
        .decode(Orders::decode)
        .key(Orders::id)
        .database(database)
        .maxAttempts(Scene.MAX_ATTEMPTS)
        .backoff(Backoff.fixed(Scene.RETRY_DELAY))
        .deadLetterTo(deadLetter)
        .drainTimeout(Duration.ofSeconds(5))
        .apply(handler(database));
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // Whatever is said here has no meaning.
    }
  }

  private static Source source(Map<String, String> settings) throws ReflectiveOperationException {
    Class<?> opener = Class.forName(require(settings, OPENER));
    var constructor = opener.getDeclaredConstructor();
    constructor.setAccessible(true);
    return ((SourceOpener) constructor.newInstance())
        .open(require(settings, BROKER_URI), require(settings, QUEUE));
  }

  private static DataSource database(Map<String, String> settings) {
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(require(settings, DATABASE_URL));
    database.setUser(require(settings, DATABASE_USER));
    database.setPassword(require(settings, DATABASE_PASSWORD));
    return database;
  }

  private static String require(Map<String, String> settings, String name) {
    String value = settings.get(name);
    if (value == null) {
      throw new IllegalArgumentException("set the environment variable " + name);
    }
    return value;
  }

  private static Handler<JsonNode> handler(DataSource database) {
    return (order, tx) -> {
      recordRun(database, tx);
      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
      if (tx.key().startsWith("killer")) {
        CrashingListener.halt();
      }
      if (tx.key().startsWith("poison")) {
        throw new IllegalStateException("poisoned");
      }
    };
  }

  /** Outside of the transaction: it tells of runs that were rolled back too. */
  private static void recordRun(DataSource database, MessageTransaction tx) throws SQLException {
    try (Connection connection = database.getConnection();
        var insert = connection.prepareStatement("insert into run(id) values (?)")) {
      insert.setString(1, tx.key());
      insert.executeUpdate();
    }
  }
}
