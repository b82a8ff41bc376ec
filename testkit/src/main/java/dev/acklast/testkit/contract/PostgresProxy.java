package dev.acklast.testkit.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between consumers and PostgreSQL, and cuts the connection at a COMMIT: before the server
 * gets it, or after it was carried out and before the answer is seen. It looks for COMMIT in what
 * clients send, so they must not prepare it ({@code prepareThreshold=0}).
 */
final class PostgresProxy implements AutoCloseable {
  /** Where the connection is cut. */
  enum Cut {
    BEFORE_COMMIT,
    AFTER_COMMIT
  }

  private static final byte[] COMMIT = "COMMIT\0".getBytes(StandardCharsets.US_ASCII);

  private final DatabaseAddress target;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger cutsLeft = new AtomicInteger();
  private final AtomicInteger cutsDone = new AtomicInteger();
  private volatile Cut cut = Cut.BEFORE_COMMIT;

  PostgresProxy(DatabaseAddress target) {
    this.target = target;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    daemon("accept", this::accept);
  }

  String url() {
    return target.urlVia(listener.getInetAddress().getHostAddress(), listener.getLocalPort());
  }

  /** Cuts the next commits. */
  void cut(Cut where, int times) {
    cut = where;
    cutsLeft.set(times);
  }

  /** How many commits were cut so far. */
  int cutsDone() {
    return cutsDone.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(target.host(), target.port());
        sockets.add(client);
        sockets.add(server);
        Connection connection = new Connection(client, server);
        daemon("up", connection::carryUp);
        daemon("down", connection::carryDown);
      }
    } catch (IOException e) {
      // The listener was closed: the case is over.
    }
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, "postgres-proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    closeQuietly(listener);
    sockets.forEach(PostgresProxy::closeQuietly);
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      // It is gone already.
    }
  }

  private final class Connection {
    private final Socket client;
    private final Socket server;
    private volatile boolean swallowAnswer;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void carryUp() {
      byte[] buffer = new byte[1 << 16];
      try (InputStream in = client.getInputStream();
          OutputStream out = server.getOutputStream()) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          if (contains(buffer, n) && cutsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            cutsDone.incrementAndGet();
            if (cut == Cut.BEFORE_COMMIT) {
              break;
            }
            swallowAnswer = true;
          }
          out.write(buffer, 0, n);
          out.flush();
        }
      } catch (IOException e) {
        // One side has gone: so does the other.
      } finally {
        closeBoth();
      }
    }

    void carryDown() {
      byte[] buffer = new byte[1 << 16];
      try (InputStream in = server.getInputStream();
          OutputStream out = client.getOutputStream()) {
        // The server answers a COMMIT only when it is done, so that an answer proves it.
        for (int n = in.read(buffer); n >= 0 && !swallowAnswer; n = in.read(buffer)) {
          out.write(buffer, 0, n);
          out.flush();
        }
      } catch (IOException e) {
        // As above.
      } finally {
        closeBoth();
      }
    }

    private void closeBoth() {
      closeQuietly(client);
      closeQuietly(server);
      sockets.remove(client);
      sockets.remove(server);
    }
  }

  private static boolean contains(byte[] buffer, int length) {
    for (int start = 0; start + COMMIT.length <= length; start++) {
      if (java.util.Arrays.equals(buffer, start, start + COMMIT.length, COMMIT, 0, COMMIT.length)) {
        return true;
      }
    }
    return false;
  }
}
