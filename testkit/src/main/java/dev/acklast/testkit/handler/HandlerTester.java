package dev.acklast.testkit.handler;

import dev.acklast.ConsumerBuilder;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Tests that a consumer's effect lands exactly once, whatever happens on the way. Runs the consumer
 * as its author builds it, on a broker in memory and the author's own PostgreSQL.
 *
 * <pre>{@code
 * HandlerTester.of((source, database) -> Commissions.consumer(source, database))
 *     .database(dataSource)
 *     .message("{\"saleId\": \"S-1\", \"sellerId\": 17, \"amount\": 12.50}")
 *     .reset("truncate commission", "update seller set balance = 0")
 *     .effect("select sale_id, seller_id, amount from commission")
 *     .effect("select id, balance from seller where balance <> 0")
 *     .verify();
 * }</pre>
 *
 * <p>{@link #verify} delivers each message once and notes the effect. Then each message is sent
 * again; the process dies at each step of its way (received, claimed, handled, before and after the
 * commit, acked) and another takes over; the connection is lost with the commit, before and after
 * it was carried out; the database refuses each of the handler's statements once; and copies come
 * at once to two processes. Each time the effect must be the one that was noted.
 *
 * <p><em>Dying</em> is played inside this JVM: all connections of the process, to broker and
 * database, end at once (the server rolls back, the broker delivers again), and the thread that was
 * at that step does nothing more. What a handler keeps in static fields, or sends to other systems,
 * outlives such a death.
 *
 * <p>The consumer keeps its settings, but for the source, the database, attempts (20), the backoff
 * (20 ms) and the schema of Acklast's tables, which is {@code acklast_handler_test} and is dropped
 * afterwards. For one thread.
 */
public final class HandlerTester {
  private final BiFunction<Source, DataSource, ConsumerBuilder<?>> author;
  private final List<Sample> samples = new ArrayList<>();
  private final List<String> reset = new ArrayList<>();
  private final List<String> queries = new ArrayList<>();
  private final Effect effect = new Effect();
  private @Nullable DataSource database;
  private Setup.Resends resends = Setup.Resends.NEW_ID;
  private boolean inOrder;
  private Duration patience = Duration.ofSeconds(30);

  private HandlerTester(BiFunction<Source, DataSource, ConsumerBuilder<?>> author) {
    this.author = author;
  }

  /**
   * Starts a test.
   *
   * @param author makes the consumer, called once for each process; whatever else the handler needs
   *     (repositories, an entity manager factory) is built on the data source that it is given. It
   *     may ignore the source, which is set afterwards in any case.
   */
  public static HandlerTester of(BiFunction<Source, DataSource, ConsumerBuilder<?>> author) {
    return new HandlerTester(Objects.requireNonNull(author, "author"));
  }

  /**
   * A PostgreSQL database for tests, with the tables that the handler uses; its role may create a
   * schema. A pool must be large enough for two consumers.
   */
  public HandlerTester database(DataSource dataSource) {
    this.database = Objects.requireNonNull(dataSource, "dataSource");
    return this;
  }

  /** A message with a JSON body, which the handler can apply; in the order of their calls. */
  public HandlerTester message(String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    return message(
        Envelope.of("handler-test", body)
            .messageId("message-" + (samples.size() + 1))
            .contentType("application/json")
            .build());
  }

  /** A message with whatever headers, ids and body the consumer reads. */
  public HandlerTester message(Envelope message) {
    samples.add(new Sample(samples.size() + 1, message));
    return this;
  }

  /** SQL that takes the effect away; run before each stage, one statement after the other. */
  public HandlerTester reset(String... statements) {
    reset.addAll(List.of(statements));
    return this;
  }

  /** A query that shows the effect. Its rows count in any order; all columns must be repeatable. */
  public HandlerTester effect(String query) {
    queries.add(Objects.requireNonNull(query, "query"));
    return this;
  }

  /**
   * Looks at an effect that no query shows.
   *
   * @param name for reports
   * @param look its result counts by its text
   */
  public HandlerTester effect(String name, Callable<?> look) {
    effect.addFunction(name, look);
    return this;
  }

  /** Producers send again under the same message id, so the key may be that id. */
  public HandlerTester resendsKeepTheirId() {
    resends = Setup.Resends.SAME_ID;
    return this;
  }

  /** Messages depend on those before them: they are never delivered at once. */
  public HandlerTester inOrder() {
    inOrder = true;
    return this;
  }

  /** How long each step may take, until all deliveries are settled; positive, default 30 s. */
  public HandlerTester patience(Duration patience) {
    if (patience.isNegative() || patience.isZero()) {
      throw new IllegalArgumentException("patience must be positive, not " + patience);
    }
    this.patience = patience;
    return this;
  }

  /**
   * Runs all stages; ends at the first fault. Takes about a second for each message and ten
   * statements.
   *
   * @throws AssertionError if an effect is missing, doubled or different; it says what was seen and
   *     what to do
   * @throws IllegalArgumentException if something required is missing
   * @throws IllegalStateException if the test could not be carried out
   */
  public void verify() {
    Setup setup = setup();
    try {
      new Stages(setup).run();
    } catch (Fault fault) {
      throw new AssertionError(fault.getMessage(), fault.getCause());
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the handler test could not be carried out: " + e, e);
    } finally {
      dropTables(setup);
    }
  }

  private Setup setup() {
    DataSource given = database;
    if (given == null) {
      throw new IllegalArgumentException("the handler test needs database(…)");
    }
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("the handler test needs at least one message(…)");
    }
    queries.forEach(query -> effect.addQuery(given, query));
    queries.clear();
    if (effect.isEmpty()) {
      throw new IllegalArgumentException("the handler test needs at least one effect(…)");
    }
    return new Setup(author, given, samples, reset, effect, resends, inOrder, patience);
  }

  private static void dropTables(Setup setup) {
    try {
      Lab.dropTables(setup.database());
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(
          "the schema " + Lab.SCHEMA + " was not dropped: drop it by hand", e);
    }
  }
}
