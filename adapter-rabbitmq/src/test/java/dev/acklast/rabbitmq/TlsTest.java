package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.servers.RabbitOptions;
import dev.acklast.servers.RabbitServer;
import dev.acklast.servers.Servers;
import dev.acklast.spi.Health;
import dev.acklast.spi.Subscription;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker with a certificate for the name localhost that only the test trusts. */
@Tag("broker")
class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private static Path folder;
  private static RabbitServer server;
  private static int port;
  private static KeyStore keys;

  @BeforeAll
  static void startServer() throws Exception {
    assumeTrue(Servers.describe().contains("RabbitMQ: native"), "the broker's TLS is not ours");
    makeCertificate();
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server =
        Servers.rabbit(
            RabbitOptions.defaults()
                .with("listeners.ssl.1", "127.0.0.1:" + port)
                .with("ssl_options.certfile", folder.resolve("certificate.pem").toString())
                .with("ssl_options.keyfile", folder.resolve("key.pem").toString()));
  }

  @AfterAll
  static void endServer() {
    if (server != null) {
      server.close();
    }
  }

  private static void makeCertificate() throws Exception {
    Path store = folder.resolve("keys.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process made =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "broker",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    assertThat(made.waitFor()).isZero();
    keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    write("key.pem", "PRIVATE KEY", keys.getKey("broker", PASSWORD).getEncoded());
    write("certificate.pem", "CERTIFICATE", keys.getCertificate("broker").getEncoded());
  }

  private static void write(String name, String kind, byte[] der) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
  }

  private static SSLContext trusting() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("broker", keys.getCertificate("broker"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private static ConnectionFactory factory(Rig rig, String host) throws Exception {
    ConnectionFactory factory = rig.factory();
    factory.setHost(host);
    factory.setPort(port);
    factory.useSslProtocol(trusting());
    factory.enableHostnameVerification();
    return factory;
  }

  @Test
  void bothConnectionsUseTheUsersTls() throws Exception {
    try (Rig rig = Rig.on(server)) {
      RecordingSink sink = new RecordingSink();
      rig.queue("sales", "quorum");
      rig.up(RabbitSource.queue(factory(rig, "localhost"), "sales"), sink);
      rig.publish("sales", "a");
      assertThat(settled(sink.delivery(0).acker().deadLetter(Rig.death("d"))).isDone()).isTrue();
      rig.take("sales.dlq");
    }
  }

  @Test
  void certificateForAnotherNameIsRefused() throws Exception {
    try (Rig rig = Rig.on(server)) {
      Subscription subscription =
          rig.start(RabbitSource.queue(factory(rig, "127.0.0.1"), "sales"), new RecordingSink());
      Rig.awaitHealth(subscription, Health.Status.DOWN, "TLS with RabbitMQ", "certificates");
    }
  }

  /** The client's own default for such a URI would trust any certificate. */
  @Test
  void amqpsUriTrustsWhatTheJvmTrustsOnly() throws Exception {
    try (Rig rig = Rig.on(server)) {
      String uri = "amqps://" + server.user() + ":" + server.password() + "@localhost:" + port;
      Subscription subscription = rig.start(RabbitSource.queue(uri, "sales"), new RecordingSink());
      Rig.awaitHealth(subscription, Health.Status.DOWN, "TLS with RabbitMQ");
      assertThat(subscription.health().toString()).doesNotContain(server.password());
    }
  }
}
