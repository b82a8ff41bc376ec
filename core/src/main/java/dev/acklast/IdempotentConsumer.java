package dev.acklast;

import dev.acklast.spi.Health;
import java.time.Duration;

/**
 * A consumer whose effects land in the database exactly once, whatever its broker delivers twice.
 *
 * <pre>{@code
 * var consumer = IdempotentConsumer.<Sale>named("commissions")
 *     .source(RabbitSource.queue(connectionFactory, "sales"))
 *     .decode(Json.as(Sale.class))
 *     .key(Sale::id)
 *     .database(dataSource)
 *     .apply((sale, tx) -> tx.handle().execute(
 *         "insert into commission(sale_id, amount) values (?, ?)", sale.id(), sale.commission()))
 *     .start();
 * }</pre>
 *
 * <p>Thread-safe. A consumer is started once and closed once.
 */
public final class IdempotentConsumer implements AutoCloseable {
  private final ConsumerRuntime<?> runtime;

  IdempotentConsumer(ConsumerRuntime<?> runtime) {
    this.runtime = runtime;
  }

  /**
   * Starts a configuration.
   *
   * @param name 1 to 200 characters; names the scope of claims too, unless {@link
   *     ConsumerBuilder#scope} says otherwise: renaming a consumer makes it apply old messages anew
   */
  public static <T> ConsumerBuilder<T> named(String name) {
    return new ConsumerBuilder<>(name);
  }

  /**
   * Starts to consume. A database or broker that cannot be reached is no error: {@link #health()}
   * says so, and the consumer begins when it comes.
   *
   * @throws dev.acklast.spi.RefusedException if the database was reached and cannot serve (a
   *     missing table that may not be created, a wrong column, a pool that is too small); the
   *     message says what to do
   * @throws IllegalStateException if it was started before
   */
  public void start() {
    runtime.start();
  }

  /** Stops intake until {@link #resume()}; what is in hand is finished. Idempotent. */
  public void pause() {
    runtime.pause();
  }

  /** Ends a pause. Idempotent. */
  public void resume() {
    runtime.resume();
  }

  /**
   * Stops intake for good, gives back what was not started, lets started work finish and settle,
   * and closes. Work that is not finished by then is cancelled and rolled back; the broker delivers
   * it again. Nothing is counted or dead-lettered because of a drain.
   *
   * @param timeout how long started work may take
   * @return whether all started work was finished
   */
  public boolean drain(Duration timeout) {
    return runtime.drain(timeout);
  }

  /** {@link #drain} with the configured time. Idempotent. */
  @Override
  public void close() {
    runtime.drain(runtime.drainTimeout());
  }

  /** How it is at this moment, and why. */
  public Health health() {
    return runtime.health();
  }
}
