package dev.acklast.servers;

import dev.acklast.servers.ProxyFaults.Direction;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A TCP proxy on a loopback port that breaks connections on demand. Nothing it forwards is logged.
 * Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
  private final String targetHost;
  private final int targetPort;
  private final ProxyFaults faults = new ProxyFaults();
  private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
  private final ProxyListener listener;

  private TcpProxy(String targetHost, int targetPort) {
    this.targetHost = targetHost;
    this.targetPort = targetPort;
    this.listener = new ProxyListener(this::connect);
  }

  /** A proxy in front of a server, which need not run yet. */
  public static TcpProxy to(String host, int port) {
    return new TcpProxy(host, port);
  }

  /** The port of 127.0.0.1 that it listens on, 1 to 65535. */
  public int port() {
    return listener.port();
  }

  /** A URL of the server behind (JDBC, AMQP, HTTP), made to lead through this proxy. */
  public String through(String url) {
    String authority = targetHost + ":" + targetPort;
    if (!url.matches(".*" + Pattern.quote(authority) + "(\\D.*)?")) {
      throw new IllegalArgumentException("The URL does not name the proxy's target " + authority);
    }
    return url.replace(authority, "127.0.0.1:" + port());
  }

  /** How many connections are open. */
  public int connections() {
    return connections.size();
  }

  /** Resets all connections; new ones are accepted. */
  public void cut() {
    List.copyOf(connections).forEach(ProxyConnection::cut);
  }

  /** Refuses new connections, or accepts them again; those that are open stay. */
  public void refuse(boolean on) {
    listener.refuse(on);
  }

  /** Holds back all bytes both ways, as a dead network does; they arrive when it is off again. */
  public void blackhole(boolean on) {
    blackholeRequests(on);
    blackholeResponses(on);
  }

  /** Holds back what clients send. */
  public void blackholeRequests(boolean on) {
    faults.hold(Direction.REQUEST, on);
  }

  /** Holds back what the server sends. */
  public void blackholeResponses(boolean on) {
    faults.hold(Direction.RESPONSE, on);
  }

  /** Delays every piece of data by this time, each way; zero for none. */
  public void latency(Duration delay) {
    faults.latency(delay.toMillis());
  }

  /** Once, cuts the connection over which the n-th byte from now reaches the server, after it. */
  public void cutAfterRequestBytes(long bytes) {
    faults.budget(Direction.REQUEST, bytes);
  }

  /** Once, cuts the connection over which the n-th byte from now reaches a client, after it. */
  public void cutAfterResponseBytes(long bytes) {
    faults.budget(Direction.RESPONSE, bytes);
  }

  /**
   * Makes a fault at the next request that matches, once.
   *
   * @param matcher is given what was read from a client in one piece, usually one flush
   * @return completed when the fault has been made
   */
  public CompletableFuture<Void> onRequest(Predicate<byte[]> matcher, RequestFault fault) {
    return faults.arm(request -> matcher.test(request.bytes()), fault);
  }

  /**
   * Runs an action, such as killing the server, before the next request that matches is forwarded,
   * once. Completed when it has run.
   */
  public CompletableFuture<Void> onRequest(Predicate<byte[]> matcher, Runnable action) {
    return faults.arm(request -> matcher.test(request.bytes()), action);
  }

  /**
   * Makes a fault at the next PostgreSQL COMMIT, once. It is recognised as a simple query and as a
   * prepared statement, on connections without TLS.
   *
   * @return completed when the fault has been made
   */
  public CompletableFuture<Void> onCommit(RequestFault fault) {
    return faults.arm(ProxyFaults.Request::commits, fault);
  }

  /** Runs an action before the next PostgreSQL COMMIT is forwarded, once. */
  public CompletableFuture<Void> onCommit(Runnable action) {
    return faults.arm(ProxyFaults.Request::commits, action);
  }

  /** Closes the port and resets all connections. */
  @Override
  public void close() {
    listener.close();
    cut();
  }

  private void connect(Socket client) {
    try {
      client.setTcpNoDelay(true);
      Socket server = new Socket();
      server.connect(new InetSocketAddress(targetHost, targetPort));
      server.setTcpNoDelay(true);
      var connection = new ProxyConnection(client, server, faults, connections::remove);
      connections.add(connection);
      connection.start();
    } catch (IOException e) {
      ProxyConnection.reset(client); // as near to the server's own refusal as it gets
    }
  }
}
