package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerKindTest {
  private static final Map<String, String> NAMED = Map.of("MY_SERVER", "somewhere");
  private static final Map<String, String> UNNAMED = Map.of();

  @Test
  void prefersTheUsersOwnServerThenDockerThenNative() {
    assertThat(choose(null, NAMED, true)).isEqualTo(ServerKind.OWN);
    assertThat(choose(null, UNNAMED, true)).isEqualTo(ServerKind.DOCKER);
    assertThat(choose("auto", UNNAMED, false)).isEqualTo(ServerKind.NATIVE);
    assertThat(choose("", Map.of("MY_SERVER", ""), false)).isEqualTo(ServerKind.NATIVE);
  }

  @Test
  void obeysThePropertyBeforeAllElse() {
    assertThat(choose("native", NAMED, true)).isEqualTo(ServerKind.NATIVE);
    assertThat(choose("docker", NAMED, false)).isEqualTo(ServerKind.DOCKER);
    assertThat(choose("own", NAMED, true)).isEqualTo(ServerKind.OWN);
  }

  @Test
  void saysWhatIsWrongWithTheProperty() {
    assertThatThrownBy(() -> choose("podman", NAMED, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-Dacklast.servers must be native, docker, own or auto, not podman");
    assertThatThrownBy(() -> choose("own", UNNAMED, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-Dacklast.servers=own needs the server's address in MY_SERVER");
  }

  @Test
  void findsADockerEngineBySocketOrPort(@TempDir Path folder) throws IOException {
    Path socket = folder.resolve("docker.sock");
    Map<String, String> unix = Map.of("DOCKER_HOST", "unix://" + socket);
    assertThat(DockerProbe.isReachable(unix)).isFalse();
    try (ServerSocketChannel engine = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      engine.bind(UnixDomainSocketAddress.of(socket));
      assertThat(DockerProbe.isReachable(unix)).isTrue();
    }
    assertThat(DockerProbe.isReachable(unix)).isFalse();

    ServerSocket engine = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Map<String, String> tcp = Map.of("DOCKER_HOST", "tcp://127.0.0.1:" + engine.getLocalPort());
    assertThat(DockerProbe.isReachable(tcp)).isTrue();
    engine.close();
    assertThat(DockerProbe.isReachable(tcp)).isFalse();
    assertThat(DockerProbe.isReachable(Map.of("DOCKER_HOST", "no address"))).isFalse();
  }

  private static ServerKind choose(
      String property, Map<String, String> environment, boolean dockerReachable) {
    return ServerKind.choose(property, environment, "MY_SERVER", () -> dockerReachable);
  }
}
