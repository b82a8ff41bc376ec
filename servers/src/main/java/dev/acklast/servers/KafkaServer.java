package dev.acklast.servers;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A running Kafka broker, obtained from {@link Servers}: one node that is its own controller, which
 * creates no topics by itself. Its times are short: sessions of 3 s may be as short as 1 s, and
 * share groups lock records for 5 s unless a group's own setting says otherwise.
 *
 * <p>Thread-safe. Calls that start or end the server run one at a time. Where {@link #canRestart()}
 * is false, they throw {@link UnsupportedOperationException}.
 */
public final class KafkaServer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final int ANSWER_MILLIS = 5000;

  private final ServerEngine engine;
  private final String bootstrap;
  private final Optional<TcpProxy> proxy;
  private final String proxiedBootstrap;

  KafkaServer(
      ServerEngine engine, String bootstrap, Optional<TcpProxy> proxy, String proxiedBootstrap) {
    this.engine = engine;
    this.bootstrap = bootstrap;
    this.proxy = proxy;
    this.proxiedBootstrap = proxiedBootstrap;
  }

  /** What clients call {@code bootstrap.servers}; the same after every restart. */
  public String bootstrap() {
    return bootstrap;
  }

  /**
   * The same for clients whose connections all lead through {@link #proxy()}: a broker tells its
   * clients where to connect, so a proxy that it does not know of would be passed by.
   */
  public String proxiedBootstrap() {
    return proxiedBootstrap;
  }

  /**
   * Breaks the connections of those who came by {@link #proxiedBootstrap()}; empty if it cannot.
   */
  public Optional<TcpProxy> proxy() {
    return proxy;
  }

  /** A client for administration, on connections that no proxy breaks; the caller closes it. */
  public Admin admin() {
    return Admin.create(
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "client.id",
            "acklast-servers",
            "request.timeout.ms",
            ANSWER_MILLIS,
            "reconnect.backoff.max.ms",
            500));
  }

  /**
   * A producer of bytes that the caller closes, with settings of its own. One request at a time, as
   * these topics are mostly new: a broker that does not lead a partition yet refuses the first
   * request, takes the second, and then refuses the first for ever (KAFKA-15591).
   */
  public static KafkaProducer<byte[], byte[]> producer(
      String bootstrap, Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", bootstrap);
    all.put("max.in.flight.requests.per.connection", 1);
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Whether the calls that start, end, freeze and thaw the server are available. */
  public boolean canRestart() {
    return engine.canRestart();
  }

  /** Whether the server's process exists; a frozen one does. */
  public synchronized boolean isRunning() {
    return engine.isRunning();
  }

  /** Kills the server at once, as kill -9 does. */
  public synchronized void kill() {
    engine.kill();
  }

  /** Stops the server in order. */
  public synchronized void stop() {
    engine.stop();
  }

  /**
   * Starts the server on the same ports and data, and returns when it answers. Does nothing if it
   * runs.
   *
   * @throws IllegalStateException if it does not come up within 120 s; the message has the log's
   *     last lines
   */
  public synchronized void start() {
    if (!engine.isRunning()) {
      engine.start();
    }
    Readiness.await(engine, START_LIMIT, this::answers);
  }

  /** {@link #stop()} and {@link #start()}. */
  public synchronized void restart() {
    engine.stop();
    start();
  }

  /** Suspends the server: connections stay open and nothing answers. */
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
    proxy.ifPresent(TcpProxy::close);
  }

  /** What this is and where, without credentials. */
  @Override
  public String toString() {
    return engine.description();
  }

  /** Starts for the first time, and leaves nothing behind if that fails. */
  KafkaServer started() {
    try {
      start();
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** A broker that is up but still fenced by its controller is not listed. */
  private void answers() throws ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = admin()) {
      int nodes = admin.describeCluster().nodes().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS).size();
      if (nodes == 0) {
        throw new IllegalStateException("no broker is in the cluster yet");
      }
    }
  }
}
