package dev.acklast.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Map;

/** Finds out in milliseconds, and in silence, whether a Docker engine listens. */
final class DockerProbe {
  private static final int CONNECT_MILLIS = 500;
  private static final String DEFAULT = "unix:///var/run/docker.sock";

  private DockerProbe() {}

  /** Whether something accepts connections at {@code DOCKER_HOST} or its default. */
  static boolean isReachable(Map<String, String> environment) {
    String address = environment.getOrDefault("DOCKER_HOST", "");
    try {
      URI uri = URI.create(address.isBlank() ? DEFAULT : address);
      return "unix".equals(uri.getScheme()) ? connectsUnix(uri) : connectsTcp(uri);
    } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static boolean connectsUnix(URI uri) throws IOException {
    SocketAddress address = UnixDomainSocketAddress.of(uri.getPath());
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(address);
    }
  }

  private static boolean connectsTcp(URI uri) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), CONNECT_MILLIS);
      return true;
    }
  }
}
