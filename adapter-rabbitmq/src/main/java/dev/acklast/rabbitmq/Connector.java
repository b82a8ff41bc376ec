package dev.acklast.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.HashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connections of one subscription from a copy of the user's factory, and can cut them all
 * without asking a broker that may be frozen. Thread-safe.
 */
final class Connector {
  private static final int PATIENT = 10_000;
  private static final int QUICK = 5_000;

  private final ConnectionFactory factory;
  private final Workers workers;
  private final String consumer;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;

  Connector(ConnectionFactory users, Workers workers, String consumer) {
    this.workers = workers;
    this.consumer = consumer;
    this.factory = users.clone();
    factory.setClientProperties(new HashMap<>(users.getClientProperties()));
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setThreadFactory(workers.threads("client"));
    factory.setSharedExecutor(null);
    factory.setHeartbeatExecutor(null);
    factory.setShutdownExecutor(null);
    shortenDefaults();
    SocketConfigurator configurator = factory.getSocketConfigurator();
    factory.setSocketConfigurator(
        configurator == null ? this::watch : configurator.andThen(this::watch));
  }

  /** The client's defaults are up to ten minutes; what a user has chosen is kept. */
  private void shortenDefaults() {
    int connect = factory.getConnectionTimeout();
    if (connect == 0 || connect == ConnectionFactory.DEFAULT_CONNECTION_TIMEOUT) {
      factory.setConnectionTimeout(PATIENT);
    }
    int rpc = factory.getChannelRpcTimeout();
    if (rpc == 0 || rpc == ConnectionFactory.DEFAULT_CHANNEL_RPC_TIMEOUT) {
      factory.setChannelRpcTimeout(QUICK);
    }
  }

  /**
   * Connects; blocks for at most the factory's timeouts.
   *
   * @param role {@code consume} or {@code publish}; part of the connection's name on the broker
   */
  Connection open(String role) throws IOException, TimeoutException {
    return factory.newConnection(workers.callbacks(), "acklast " + consumer + " " + role);
  }

  /** A new channel; blocks for the broker's answer. */
  static Channel channel(Connection connection) throws IOException {
    return connection
        .openChannel()
        .orElseThrow(() -> new IOException("no channel is left: raise channel_max"));
  }

  /** Closes a channel if it is open; what is unsettled on it goes back. */
  static void abort(@Nullable Channel channel) {
    if (channel != null && channel.isOpen()) {
      try {
        channel.abort();
      } catch (IOException | RuntimeException e) {
        // It ends with its connection.
      }
    }
  }

  /** The copy that connections are made from: host, virtual host and credentials. */
  ConnectionFactory factory() {
    return factory;
  }

  /** Host and port, without credentials. */
  String where() {
    return factory.getHost() + ":" + factory.getPort();
  }

  /** Why {@link #open} failed. */
  String why(Exception e) {
    return Diagnosis.connecting(e, where(), factory.getVirtualHost());
  }

  /** Closes all sockets at once, and lets none be opened. */
  void cut() {
    cut = true;
    sockets.forEach(Connector::reset);
  }

  private void watch(Socket socket) throws IOException {
    sockets.removeIf(Socket::isClosed);
    sockets.add(socket);
    if (cut) {
      socket.close();
      throw new SocketException("the subscription is closed");
    }
  }

  private static void reset(Socket socket) {
    try (socket) {
      socket.setSoLinger(true, 0); // a TLS socket would wait for whoever is stuck in a write
    } catch (IOException ignored) {
      // as closed as it can be
    }
  }
}
