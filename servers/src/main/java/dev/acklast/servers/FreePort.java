package dev.acklast.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks loopback ports below every usual range of ephemeral ports.
 *
 * <p>A server that is killed and started again must find its port free. An ephemeral one may by
 * then be some client's; and a client that keeps trying to connect to an ephemeral port on loopback
 * can even be given that same port and connect to itself.
 */
final class FreePort {
  private static final int LOWEST = 10_240;
  private static final int HIGHEST = 32_000;
  private static final int TRIES = 200;

  private FreePort() {}

  /** A port of 127.0.0.1 that nobody listens on now. */
  static int next() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "No free port between " + LOWEST + " and " + HIGHEST + " on 127.0.0.1");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
