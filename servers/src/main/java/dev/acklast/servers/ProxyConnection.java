package dev.acklast.servers;

import dev.acklast.servers.ProxyFaults.Allowance;
import dev.acklast.servers.ProxyFaults.Armed;
import dev.acklast.servers.ProxyFaults.Direction;
import dev.acklast.servers.ProxyFaults.Request;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection through a {@link TcpProxy}: two threads, one for each way. */
final class ProxyConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyConnection.class);
  private static final int BUFFER = 64 * 1024;

  private final Socket client;
  private final Socket server;
  private final ProxyFaults faults;
  private final Consumer<ProxyConnection> onEnd;
  private final CommitSpotter commits = new CommitSpotter();
  private final AtomicInteger openWays = new AtomicInteger(2);
  private volatile boolean cut;
  private volatile @Nullable CompletableFuture<Void> cutBeforeAnswer;

  ProxyConnection(
      Socket client, Socket server, ProxyFaults faults, Consumer<ProxyConnection> onEnd) {
    this.client = client;
    this.server = server;
    this.faults = faults;
    this.onEnd = onEnd;
  }

  void start() {
    startThread("request", () -> pump(client, server, Direction.REQUEST));
    startThread("response", () -> pump(server, client, Direction.RESPONSE));
  }

  boolean isCut() {
    return cut;
  }

  /** Resets both sides: each sees the loss at once, and bytes on their way are gone. */
  void cut() {
    cut = true;
    reset(client);
    reset(server);
    faults.wake();
    onEnd.accept(this);
  }

  /** Closes with a reset instead of an orderly end. */
  static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // Closed already, by the other thread.
    }
    close(socket);
  }

  private void pump(Socket from, Socket to, Direction direction) {
    byte[] buffer = new byte[BUFFER];
    try {
      int count = from.getInputStream().read(buffer);
      while (count >= 0) {
        faults.awaitPassage(direction, this);
        if (cut || !pass(Arrays.copyOf(buffer, count), to, direction)) {
          return;
        }
        count = from.getInputStream().read(buffer);
      }
      faults.awaitPassage(direction, this);
      to.shutdownOutput();
      endOneWay();
    } catch (IOException e) {
      cut();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      cut();
    } catch (RuntimeException | AssertionError e) {
      LOG.warn("A proxied connection is cut, since a test's own code failed on it", e);
      cut();
    }
  }

  /** Forwards one piece; false if the connection was cut. */
  private boolean pass(byte[] bytes, Socket to, Direction direction) throws IOException {
    if (direction == Direction.REQUEST ? cutsBefore(bytes) : cutsAnswer()) {
      return false;
    }
    Allowance allowance = faults.take(direction, bytes.length);
    to.getOutputStream().write(bytes, 0, allowance.bytes());
    if (allowance.last()) {
      awaitDelivered(to);
      cut();
    }
    return !allowance.last();
  }

  private boolean cutsBefore(byte[] bytes) {
    Request request = new Request(bytes, commits.sees(bytes));
    Armed armed = faults.match(request);
    if (armed == null) {
      return false;
    }
    armed.act();
    RequestFault fault = armed.fault();
    if (fault == RequestFault.CUT_BEFORE_ANSWER) {
      cutBeforeAnswer = armed.done();
      return false;
    }
    if (fault == RequestFault.CUT_BEFORE) {
      cut();
    }
    armed.done().complete(null);
    return fault == RequestFault.CUT_BEFORE;
  }

  private boolean cutsAnswer() {
    CompletableFuture<Void> done = cutBeforeAnswer;
    if (done == null) {
      return false;
    }
    cut();
    done.complete(null);
    return true;
  }

  /** The last bytes that may pass go out in order: a reset would overtake and discard them. */
  private void awaitDelivered(Socket to) throws IOException {
    to.shutdownOutput();
    close(to);
  }

  private void endOneWay() {
    if (openWays.decrementAndGet() == 0) {
      close(client);
      close(server);
      onEnd.accept(this);
    }
  }

  private static void startThread(String way, Runnable task) {
    Thread thread = new Thread(task, "acklast-proxy-" + way);
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is left to be done with it.
    }
  }
}
