package dev.acklast.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The copy of the user's factory. */
class ConnectorTest {
  private final Workers workers = new Workers("tests");

  @AfterEach
  void tearDown() throws Exception {
    workers.shutdown(System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
  }

  @Test
  void tlsSettingsOfTheUserAreUsedAndTheFactoryIsNotAltered() throws Exception {
    AtomicReference<Socket> configured = new AtomicReference<>();
    try (ServerSocket server = new ServerSocket(0)) {
      ConnectionFactory users = new ConnectionFactory();
      users.setPort(server.getLocalPort());
      users.useSslProtocol(SSLContext.getDefault());
      SocketConfigurator configurator = configured::set;
      users.setSocketConfigurator(configurator);
      users.enableHostnameVerification();
      SocketConfigurator verifying = users.getSocketConfigurator();
      Connector connector = new Connector(users, workers, "tests");
      CompletableFuture<Integer> firstByte =
          CompletableFuture.supplyAsync(() -> firstByteAt(server));
      assertThatThrownBy(() -> connector.open("consume")).isInstanceOf(IOException.class);
      assertThat(firstByte.get(10, TimeUnit.SECONDS)).isEqualTo(0x16); // a TLS handshake
      assertThat(configured.get()).isInstanceOf(SSLSocket.class);
      assertThat(
              ((SSLSocket) configured.get())
                  .getSSLParameters()
                  .getEndpointIdentificationAlgorithm())
          .isEqualTo("HTTPS");
      assertThat(users.getSocketConfigurator()).isSameAs(verifying);
      assertThat(users.isAutomaticRecoveryEnabled()).isTrue();
      assertThat(users.getChannelRpcTimeout())
          .isEqualTo(ConnectionFactory.DEFAULT_CHANNEL_RPC_TIMEOUT);
    }
  }

  private static int firstByteAt(ServerSocket server) {
    try (Socket socket = server.accept()) {
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1;
    }
  }

  /** A listener that never answers: the handshake would last for ten seconds. */
  @Test
  void cutEndsAConnectionAttemptAtOnce() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      ConnectionFactory users = new ConnectionFactory();
      users.setPort(silent.getLocalPort());
      Connector connector = new Connector(users, workers, "tests");
      CompletableFuture<Throwable> attempt =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  connector.open("consume").abort();
                  return new AssertionError("connected with nobody");
                } catch (Exception e) {
                  return e;
                }
              });
      try (Socket accepted = silent.accept()) {
        assertThat(accepted.isConnected()).isTrue();
        connector.cut();
        assertThat(attempt).succeedsWithin(Duration.ofSeconds(3)).isInstanceOf(IOException.class);
      }
      assertThatThrownBy(() -> connector.open("consume")).isInstanceOf(IOException.class);
    }
  }
}
