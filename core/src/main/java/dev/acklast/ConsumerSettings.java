package dev.acklast;

import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import dev.acklast.spi.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's whole configuration: immutable, and validated when {@link ConsumerBuilder} made it.
 */
record ConsumerSettings<T>(
    String name,
    String scope,
    Source source,
    @Nullable String deadLetter,
    Payload<T> payload,
    Effect<T> effect,
    Database database,
    Flow flow,
    FailureRules failures,
    List<AcklastListener> listeners) {

  /**
   * Whether messages that wait for a retry wait in memory, because the broker cannot, or for order.
   */
  boolean parksRetries() {
    return ordered() || !source.capabilities().nativeRetry();
  }

  /** Whether messages with one ordering key run one after another. */
  boolean ordered() {
    return payload.orderedBy() != null || ordersAlways();
  }

  /** Whether the broker's own order is kept, asked for or not. */
  boolean ordersAlways() {
    return source.capabilities().order() == Capabilities.Order.ALWAYS;
  }

  /** How a message is read. */
  record Payload<T>(
      Decoder<? extends T> decoder,
      Key<? super T> key,
      @Nullable BiPredicate<? super T, ? super Envelope> filter,
      @Nullable Key<? super T> orderedBy,
      @Nullable BiFunction<? super T, ? super Envelope, @Nullable Instant> eventTime,
      boolean allowExpired) {}

  /** What is done with it: exactly one of the two is given. */
  record Effect<T>(@Nullable Handler<? super T> each, @Nullable BatchHandler<T> all) {}

  /** Where claims and effects live. */
  record Database(
      Transactions transactions,
      @Nullable DataSource dataSource,
      @Nullable String schema,
      boolean createTables,
      boolean acceptAsynchronousCommit,
      Consumer<Jdbi> jdbiSetup) {}

  /** How much at once, and how long. */
  record Flow(
      int concurrency,
      int prefetch,
      int batchSize,
      Duration handlerTimeout,
      Duration drainTimeout,
      Duration retention) {}

  /** What is done about failures. */
  record FailureRules(
      int maxAttempts,
      Backoff backoff,
      List<Class<? extends Throwable>> nonRetryable,
      List<Class<? extends Throwable>> outageOn) {}
}
