package dev.acklast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/** A loopback port that accepts or refuses connections and is kept in either case. */
final class ProxyListener implements AutoCloseable {
  private static final long ACCEPTOR_ENDS_MILLIS = 5_000;

  private final InetSocketAddress address =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next());
  private final Consumer<Socket> onAccept;
  private ServerSocket listener;
  private Thread acceptor = new Thread(() -> {});
  private Socket placeholder = new Socket();

  /**
   * Listens at once.
   *
   * @param onAccept takes over each accepted connection, on one thread
   */
  ProxyListener(Consumer<Socket> onAccept) {
    this.onAccept = onAccept;
    this.listener = listen();
  }

  int port() {
    return address.getPort();
  }

  synchronized void refuse(boolean on) {
    if (on == listener.isClosed()) {
      return;
    }
    try {
      if (on) {
        listener.close();
        awaitAcceptorsEnd();
        // Bound but not listening: the port stays ours, and who connects is refused.
        placeholder = new Socket();
        placeholder.setReuseAddress(true);
        placeholder.bind(address);
      } else {
        placeholder.close();
        listener = listen();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Until its accept has returned, the closed socket still has the port. */
  private void awaitAcceptorsEnd() {
    try {
      acceptor.join(ACCEPTOR_ENDS_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    try {
      listener.close();
      placeholder.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ServerSocket listen() {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(address);
      acceptor = new Thread(() -> acceptFrom(socket), "acklast-proxy-accept");
      acceptor.setDaemon(true);
      acceptor.start();
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException("The proxy cannot listen on " + address, e);
    }
  }

  private void acceptFrom(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        onAccept.accept(socket.accept());
      } catch (IOException e) {
        // Closed, which ends the loop, or a client that is gone before it was accepted.
      }
    }
  }
}
