package dev.acklast.servers;

import java.time.Duration;

/**
 * A running server, obtained from {@link Servers}, and what can be done to it.
 *
 * <p>Thread-safe. Calls that start or end the server run one at a time. Where {@link #canRestart()}
 * is false, they throw {@link UnsupportedOperationException}.
 */
public abstract sealed class Server implements AutoCloseable
    permits PostgresServer, RabbitServer, SqsServer, KafkaServer {
  private final ServerEngine engine;
  private final Duration startLimit;

  Server(ServerEngine engine, Duration startLimit) {
    this.engine = engine;
    this.startLimit = startLimit;
  }

  /** Fails unless clients are served. */
  abstract void answers() throws Exception;

  /** Called after a launch, once it answers. */
  void launched() {}

  /** Whether the calls that start, end, freeze and thaw the server are available. */
  public boolean canRestart() {
    return engine.canRestart();
  }

  /** Whether the server's process exists; a frozen one does. */
  public synchronized boolean isRunning() {
    return engine.isRunning();
  }

  /** Kills the server and all of its processes at once, as kill -9 does. */
  public synchronized void kill() {
    engine.kill();
  }

  /** Stops the server in order, sending its clients away. */
  public synchronized void stop() {
    engine.stop();
  }

  /**
   * Starts the server on the same ports and data, and returns when it serves clients. Does nothing
   * if it runs.
   *
   * @throws IllegalStateException if it does not come up within 60 s (PostgreSQL) or 120 s (all
   *     others); the message has the log's last lines
   */
  public synchronized void start() {
    boolean launches = !engine.isRunning();
    if (launches) {
      engine.start();
    }
    Readiness.await(engine, startLimit, this::answers);
    if (launches) {
      launched();
    }
  }

  /** {@link #stop()} and {@link #start()}. */
  public synchronized void restart() {
    engine.stop();
    start();
  }

  /**
   * Suspends all of the server's processes: connections stay open and nothing answers, not even
   * heartbeats.
   */
  public synchronized void freeze() {
    engine.freeze();
  }

  /** Lets a frozen server go on. */
  public synchronized void thaw() {
    engine.thaw();
  }

  /** Ends a private server and deletes its data; leaves the user's own alone. */
  @Override
  public synchronized void close() {
    engine.close();
  }

  /** What this is and where, without credentials. */
  @Override
  public String toString() {
    return engine.description();
  }

  /** Starts for the first time, and leaves nothing behind if that, or a check after it, fails. */
  void startOrClose(Runnable check) {
    try {
      start();
      check.run();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }
}
