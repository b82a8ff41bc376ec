package dev.acklast;

import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import dev.acklast.spi.Transactions;
import dev.acklast.store.JdbcTransactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Collects a consumer's configuration. For one thread; may be built more than once. Every setter
 * checks its value at once and throws {@link IllegalArgumentException} with the rule; what belongs
 * together is checked in {@link #build()}.
 *
 * @param <T> the decoded payload
 */
public final class ConsumerBuilder<T> {
  private static final Duration LONGEST_TIMEOUT = Duration.ofHours(12);

  private final String name;
  private String scope;
  private @Nullable Source source;
  private @Nullable String deadLetter;
  private @Nullable Decoder<? extends T> decoder;
  private @Nullable Key<? super T> key;
  private @Nullable Key<? super T> orderedBy;
  private @Nullable BiPredicate<? super T, ? super Envelope> filter;
  private @Nullable BiFunction<? super T, ? super Envelope, @Nullable Instant> eventTime;
  private boolean allowExpired;
  private @Nullable Handler<? super T> handler;
  private @Nullable BatchHandler<T> batchHandler;
  private @Nullable DataSource dataSource;
  private @Nullable Transactions transactions;
  private @Nullable String schema;
  private boolean createTables = true;
  private boolean acceptAsynchronousCommit;
  private Consumer<Jdbi> jdbiSetup = jdbi -> {};
  private int concurrency = 4;
  private int prefetch = 250;
  private int batchSize = 100;
  private int maxAttempts = 5;
  private Backoff backoff = Backoff.standard();
  private Duration handlerTimeout = Duration.ofSeconds(30);
  private Duration drainTimeout = Duration.ofSeconds(25);
  private Duration retention = Duration.ofDays(90);
  private final List<Class<? extends Throwable>> nonRetryable = new ArrayList<>();
  private final List<Class<? extends Throwable>> outageOn = new ArrayList<>();
  private final List<AcklastListener> listeners = new ArrayList<>();

  ConsumerBuilder(String name) {
    this.name = Rules.name("consumer name", name);
    this.scope = name;
  }

  /** Where messages come from; required. Made by an adapter's factory. */
  public ConsumerBuilder<T> source(Source source) {
    this.source = Objects.requireNonNull(source, "source");
    return this;
  }

  /** How a body becomes a payload; required. See {@link Json} and {@link Body}. */
  public ConsumerBuilder<T> decode(Decoder<? extends T> decoder) {
    this.decoder = Objects.requireNonNull(decoder, "decoder");
    return this;
  }

  /** The business key as a function of the payload; see {@link Key#from}. */
  public ConsumerBuilder<T> key(Function<? super T, ? extends @Nullable Object> key) {
    return key(Key.from(key));
  }

  /** The business key; required. */
  public ConsumerBuilder<T> key(Key<? super T> key) {
    this.key = Objects.requireNonNull(key, "key");
    return this;
  }

  /**
   * Whose effect it is: 1 to 200 characters, default the consumer's name. Consumers that feed one
   * effect share a scope.
   */
  public ConsumerBuilder<T> scope(String scope) {
    this.scope = Rules.name("scope", scope);
    return this;
  }

  /** Only messages for which this is true are applied; the others are acked as <em>skipped</em>. */
  public ConsumerBuilder<T> filter(BiPredicate<? super T, ? super Envelope> filter) {
    this.filter = Objects.requireNonNull(filter, "filter");
    return this;
  }

  /**
   * Messages with the same ordering key run one after another in order of arrival, also across
   * retries. Refused at start where the source cannot keep order.
   */
  public ConsumerBuilder<T> orderedBy(Key<? super T> orderingKey) {
    this.orderedBy = Objects.requireNonNull(orderingKey, "orderingKey");
    return this;
  }

  /** As {@link #orderedBy(Key)}, from a function of the payload. */
  public ConsumerBuilder<T> orderedBy(Function<? super T, ? extends @Nullable Object> orderingKey) {
    return orderedBy(Key.from(orderingKey));
  }

  /**
   * When the event happened. A message older than the retention could be applied twice, so it is
   * dead-lettered as {@link DeathReason#EXPIRED}. A function that returns null means: unknown,
   * apply.
   */
  public ConsumerBuilder<T> eventTime(
      BiFunction<? super T, ? super Envelope, @Nullable Instant> eventTime) {
    this.eventTime = Objects.requireNonNull(eventTime, "eventTime");
    return this;
  }

  /** Applies messages that are older than the retention all the same. */
  public ConsumerBuilder<T> allowExpired() {
    this.allowExpired = true;
    return this;
  }

  /** The database of claims and effects. This or {@link #transactions} is required. */
  public ConsumerBuilder<T> database(DataSource dataSource) {
    this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    return this;
  }

  /** Runs claims and effects in transactions of the user's own kind instead of plain JDBC ones. */
  public ConsumerBuilder<T> transactions(Transactions transactions) {
    this.transactions = Objects.requireNonNull(transactions, "transactions");
    return this;
  }

  /**
   * Called once with the Jdbi behind {@link EffectTransaction#handle()}: installs plugins, mappers.
   */
  public ConsumerBuilder<T> jdbi(Consumer<Jdbi> setup) {
    this.jdbiSetup = Objects.requireNonNull(setup, "setup");
    return this;
  }

  /** The schema of Acklast's tables; default: the first of the connection's search path. */
  public ConsumerBuilder<T> schema(String schema) {
    this.schema = Rules.schema(schema);
    return this;
  }

  /** Whether missing tables are created at start; default true. */
  public ConsumerBuilder<T> createTables(boolean createTables) {
    this.createTables = createTables;
    return this;
  }

  /**
   * Accepts a database that confirms commits before they are durable ({@code
   * synchronous_commit=off}).
   */
  public ConsumerBuilder<T> acceptAsynchronousCommit() {
    this.acceptAsynchronousCommit = true;
    return this;
  }

  /** The dead-letter queue or topic; default as the adapter says. */
  public ConsumerBuilder<T> deadLetterTo(String target) {
    this.deadLetter = Rules.notBlank("dead-letter", target);
    return this;
  }

  /**
   * Runs of the handler before a message is dead-lettered, the first included: 1 to 1000, default
   * 5.
   */
  public ConsumerBuilder<T> maxAttempts(int maxAttempts) {
    this.maxAttempts = Rules.range("max-attempts", maxAttempts, 1, 1000);
    return this;
  }

  /** Delays between attempts; default {@link Backoff#standard()}. */
  public ConsumerBuilder<T> backoff(Backoff backoff) {
    this.backoff = Objects.requireNonNull(backoff, "backoff");
    return this;
  }

  /**
   * A failure of this type, or caused by one, is dead-lettered at once as {@link
   * DeathReason#NON_RETRYABLE}.
   */
  public ConsumerBuilder<T> nonRetryable(Class<? extends Throwable> type) {
    nonRetryable.add(Objects.requireNonNull(type, "type"));
    return this;
  }

  /**
   * A failure of this type, or caused by one, tells of an outage of something that all messages
   * need: it does not count as an attempt, and intake pauses with a growing delay until a message
   * passes.
   */
  public ConsumerBuilder<T> outageOn(Class<? extends Throwable> type) {
    outageOn.add(Objects.requireNonNull(type, "type"));
    return this;
  }

  /** Lanes: handlers that run at once, 1 to 1000, default 4. */
  public ConsumerBuilder<T> concurrency(int concurrency) {
    this.concurrency = Rules.range("concurrency", concurrency, 1, 1000);
    return this;
  }

  /** Most unsettled messages at once, 1 to 65535, default 250. */
  public ConsumerBuilder<T> prefetch(int prefetch) {
    this.prefetch = Rules.range("prefetch", prefetch, 1, 65_535);
    return this;
  }

  /** Most messages in one transaction, 1 to 1000, default 100. */
  public ConsumerBuilder<T> batchSize(int batchSize) {
    this.batchSize = Rules.range("batch-size", batchSize, 1, 1000);
    return this;
  }

  /** How long one run of the handler may take: 1 ms to 12 h, default 30 s. */
  public ConsumerBuilder<T> handlerTimeout(Duration timeout) {
    this.handlerTimeout =
        Rules.range("handler-timeout", timeout, Duration.ofMillis(1), LONGEST_TIMEOUT);
    return this;
  }

  /**
   * How long {@link IdempotentConsumer#close()} lets started work finish: 0 to 12 h, default 25 s.
   */
  public ConsumerBuilder<T> drainTimeout(Duration timeout) {
    this.drainTimeout = Rules.range("drain", timeout, Duration.ZERO, LONGEST_TIMEOUT);
    return this;
  }

  /** How long claims are kept: 1 s to 100 years, default 90 days. Longer than any replay. */
  public ConsumerBuilder<T> retention(Duration retention) {
    this.retention =
        Rules.range("retention", retention, Duration.ofSeconds(1), Duration.ofDays(36_500));
    return this;
  }

  /** Adds a listener. */
  public ConsumerBuilder<T> listener(AcklastListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
    return this;
  }

  /** The effect, message by message. This or {@link #applyAll} is required. */
  public ConsumerBuilder<T> apply(Handler<? super T> handler) {
    this.handler = Objects.requireNonNull(handler, "handler");
    return this;
  }

  /** The effect of a whole batch at once. */
  public ConsumerBuilder<T> applyAll(BatchHandler<T> handler) {
    this.batchHandler = Objects.requireNonNull(handler, "handler");
    return this;
  }

  /**
   * Makes the consumer, not yet started.
   *
   * @throws IllegalArgumentException if something required is missing, or settings contradict each
   *     other
   */
  public IdempotentConsumer build() {
    return new IdempotentConsumer(new ConsumerRuntime<>(settings()));
  }

  /** {@link #build()}, then {@link IdempotentConsumer#start()}. */
  public IdempotentConsumer start() {
    IdempotentConsumer consumer = build();
    consumer.start();
    return consumer;
  }

  private ConsumerSettings<T> settings() {
    if ((handler == null) == (batchHandler == null)) {
      throw missing("exactly one of apply(…) and applyAll(…)");
    }
    Source chosen = required("source(…)", source);
    if (orderedBy != null && chosen.capabilities().order() == Capabilities.Order.NONE) {
      throw new IllegalArgumentException(
          "consumer "
              + name
              + ": orderedBy cannot be kept by "
              + chosen.name()
              + ", where several consumers may share one key; see the adapter's page for the"
              + " options that give a key to one consumer at a time");
    }
    Decoder<? extends T> decoding = required("decode(…)", decoder);
    if (decoding instanceof Json<?> json) {
      json.verify();
    }
    Key<? super T> ordering = orderedBy;
    return new ConsumerSettings<>(
        name,
        scope,
        chosen,
        deadLetter,
        new ConsumerSettings.Payload<>(
            decoding,
            required("key(…)", key).alongside(decoding),
            filter,
            ordering == null ? null : ordering.alongside(decoding),
            eventTime,
            allowExpired),
        new ConsumerSettings.Effect<>(handler, batchHandler),
        database(),
        new ConsumerSettings.Flow(
            concurrency, prefetch, batchSize, handlerTimeout, drainTimeout, retention),
        new ConsumerSettings.FailureRules(
            maxAttempts, backoff, List.copyOf(nonRetryable), List.copyOf(outageOn)),
        List.copyOf(listeners));
  }

  private ConsumerSettings.Database database() {
    Transactions chosen = transactions;
    if (chosen == null) {
      chosen = new JdbcTransactions(required("database(…) or transactions(…)", dataSource));
    }
    return new ConsumerSettings.Database(
        chosen, dataSource, schema, createTables, acceptAsynchronousCommit, jdbiSetup);
  }

  private <V> V required(String what, @Nullable V value) {
    if (value == null) {
      throw missing(what);
    }
    return value;
  }

  private IllegalArgumentException missing(String what) {
    return new IllegalArgumentException("consumer " + name + " needs " + what);
  }
}
