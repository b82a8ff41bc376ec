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
 */
public final class KafkaServer extends Server {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final int ANSWER_MILLIS = 5000;

  private final String bootstrap;
  private final Optional<TcpProxy> proxy;
  private final String proxiedBootstrap;

  KafkaServer(
      ServerEngine engine, String bootstrap, Optional<TcpProxy> proxy, String proxiedBootstrap) {
    super(engine, START_LIMIT);
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

  @Override
  public synchronized void close() {
    super.close();
    proxy.ifPresent(TcpProxy::close);
  }

  /** Starts for the first time, and leaves nothing behind if that fails. */
  KafkaServer started() {
    startOrClose(() -> {});
    return this;
  }

  /** A broker that is up but still fenced by its controller is not listed. */
  @Override
  void answers() throws ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = admin()) {
      int nodes = admin.describeCluster().nodes().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS).size();
      if (nodes == 0) {
        throw new IllegalStateException("no broker is in the cluster yet");
      }
    }
  }
}
