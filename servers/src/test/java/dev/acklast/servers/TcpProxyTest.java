package dev.acklast.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that echoes every byte. */
class TcpProxyTest {
  private ServerSocket echo;
  private TcpProxy proxy;

  @BeforeEach
  void start() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::echoAll);
    thread.setDaemon(true);
    thread.start();
    proxy = TcpProxy.to("127.0.0.1", echo.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    echo.close();
  }

  @Test
  void forwardsBothWays() throws IOException {
    try (Socket client = connect()) {
      assertThat(exchange(client, "hello")).isEqualTo("hello");
      assertThat(exchange(client, "again")).isEqualTo("again");
      assertThat(proxy.connections()).isEqualTo(1);
    }
    await().untilAsserted(() -> assertThat(proxy.connections()).isZero());
  }

  @Test
  void passesOnAnOrderlyEnd() throws IOException {
    try (Socket client = connect()) {
      exchange(client, "hello");
      client.shutdownOutput();
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void cutsAllConnectionsAndAcceptsNewOnes() throws IOException {
    try (Socket client = connect();
        Socket other = connect()) {
      exchange(client, "hello");
      exchange(other, "hello");
      proxy.cut();
      assertThatThrownBy(() -> exchange(client, "x")).isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> exchange(other, "x")).isInstanceOf(SocketException.class);
    }
    try (Socket client = connect()) {
      assertThat(exchange(client, "hello")).isEqualTo("hello");
    }
  }

  @Test
  void refusesNewConnectionsOnly() throws IOException {
    try (Socket client = connect()) {
      exchange(client, "hello");
      proxy.refuse(true);
      proxy.refuse(true);
      assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
      assertThat(exchange(client, "still")).isEqualTo("still");
      proxy.refuse(false);
      try (Socket other = connect()) {
        assertThat(exchange(other, "hello")).isEqualTo("hello");
      }
    }
  }

  @Test
  void holdsBytesBackInABlackHoleAndDeliversThemAfterwards() throws IOException {
    try (Socket client = connect()) {
      exchange(client, "hello");
      proxy.blackhole(true);
      assertThatThrownBy(() -> exchange(client, "late")).isInstanceOf(SocketTimeoutException.class);
      proxy.blackhole(false);
      assertThat(read(client, 4)).isEqualTo("late");
    }
  }

  @Test
  void holdsBackOneWayOnly() throws IOException {
    try (Socket client = connect()) {
      exchange(client, "hello");
      CompletableFuture<Void> arrived =
          proxy.onRequest(bytes -> new String(bytes, US_ASCII).contains("one"), () -> {});
      proxy.blackholeResponses(true);
      assertThatThrownBy(() -> exchange(client, "one")).isInstanceOf(SocketTimeoutException.class);
      assertThat(arrived).isDone();
      proxy.blackholeResponses(false);
      assertThat(read(client, 3)).isEqualTo("one");

      proxy.blackholeRequests(true);
      CompletableFuture<Void> held =
          proxy.onRequest(bytes -> new String(bytes, US_ASCII).contains("two"), () -> {});
      assertThatThrownBy(() -> exchange(client, "two")).isInstanceOf(SocketTimeoutException.class);
      assertThat(held).isNotDone();
      proxy.blackholeRequests(false);
      assertThat(read(client, 3)).isEqualTo("two");
    }
  }

  @Test
  void canBeCutInABlackHole() throws IOException {
    try (Socket client = connect()) {
      exchange(client, "hello");
      proxy.blackhole(true);
      assertThatThrownBy(() -> exchange(client, "x")).isInstanceOf(SocketTimeoutException.class);
      proxy.cut();
      assertThatThrownBy(() -> read(client, 1)).isInstanceOf(SocketException.class);
      assertThat(proxy.connections()).isZero();
    }
  }

  @Test
  void delaysEachWay() throws IOException {
    try (Socket client = connect()) {
      exchange(client, "hello");
      proxy.latency(Duration.ofMillis(100));
      long start = System.nanoTime();
      exchange(client, "slow");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(199));
    }
  }

  @Test
  void cutsAfterSoManyResponseBytes() throws IOException {
    try (Socket client = connect()) {
      proxy.cutAfterResponseBytes(3);
      client.getOutputStream().write("hello".getBytes(US_ASCII));
      assertThat(read(client, 3)).isEqualTo("hel");
      assertThatThrownBy(() -> read(client, 1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void cutsAfterSoManyRequestBytes() throws IOException {
    try (Socket client = connect()) {
      proxy.cutAfterRequestBytes(7);
      assertThat(exchange(client, "hello")).isEqualTo("hello");
      assertThatThrownBy(() -> exchange(client, "again")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void cutsOnceWithoutForwardingTheRequest() throws IOException {
    CompletableFuture<Void> done =
        proxy.onRequest(
            bytes -> new String(bytes, US_ASCII).equals("bad"), RequestFault.CUT_BEFORE);
    try (Socket client = connect()) {
      assertThat(exchange(client, "good")).isEqualTo("good");
      assertThat(done).isNotDone();
      assertThatThrownBy(() -> exchange(client, "bad")).isInstanceOf(SocketException.class);
      assertThat(done).succeedsWithin(Duration.ofSeconds(5));
    }
    try (Socket client = connect()) {
      assertThat(exchange(client, "bad")).isEqualTo("bad");
    }
  }

  @Test
  void resetsClientsWhoseServerIsGone() throws IOException {
    echo.close();
    try (Socket client = connect()) {
      assertThatThrownBy(() -> read(client, 1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void rewritesTheUrlsOfItsTarget() {
    String target = "127.0.0.1:" + echo.getLocalPort();
    assertThat(proxy.through("jdbc:postgresql://" + target + "/shop?x=y"))
        .isEqualTo("jdbc:postgresql://127.0.0.1:" + proxy.port() + "/shop?x=y");
    assertThatThrownBy(() -> proxy.through("amqp://u:secret@elsewhere/"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(target)
        .hasMessageNotContaining("secret");
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(500);
    return socket;
  }

  private static String exchange(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    return read(socket, text.length());
  }

  private static String read(Socket socket, int count) throws IOException {
    byte[] bytes = socket.getInputStream().readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException();
    }
    return new String(bytes, US_ASCII);
  }

  private void echoAll() {
    while (!echo.isClosed()) {
      try {
        Socket socket = echo.accept();
        Thread thread = new Thread(() -> echo(socket));
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void echo(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      // The test cut it.
    }
  }
}
