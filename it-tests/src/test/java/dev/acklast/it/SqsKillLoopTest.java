package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.servers.Servers;
import dev.acklast.servers.SqsServer;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import dev.acklast.testkit.contract.SourceOpener;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Handlers that outlast the visibility timeout, in JVMs that are killed: one effect each. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class SqsKillLoopTest {
  private static final Duration VISIBILITY = Duration.ofSeconds(2);
  private static final Duration HANDLING = Duration.ofSeconds(5);

  @TempDir private Path folder;
  private final SqsServer server = Servers.sharedSqs();
  private SqsClient client;
  private SqsAdmin admin;
  private Database database;

  @BeforeEach
  void prepare() {
    client = server.client();
    admin = new SqsAdmin(client);
    database = new Database(Servers.sharedPostgres());
  }

  @AfterEach
  void tidy() throws Exception {
    database.close();
    client.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".fifo"})
  void handlersOfFiveSecondsOnAVisibilityOfTwoHaveOneEffectEach(String kind) throws Exception {
    int messages = 36;
    String queue = Servers.uniqueName("kill") + kind;
    admin.create(queue);
    List<Envelope> orders = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      byte[] body = ("{\"orderId\":\"order-" + i + "\"}").getBytes(StandardCharsets.UTF_8);
      orders.add(Envelope.of("?", body).contentType("application/json").build());
    }
    admin.publish(queue, orders);
    var work = new WorkerProcess.Work(Opener.class, server.endpoint().toString(), queue, HANDLING);
    try (KillLoop loop = new KillLoop(work, database, folder)) {
      loop.killUntilDone(messages, 4, () -> awaitEmpty(queue));
    }
    String deadLetters = queue.replace(".fifo", "") + "-dlq" + kind;
    assertThat(admin.ready(deadLetters) + admin.unsettled(deadLetters)).isZero();
  }

  private void awaitEmpty(String queue) {
    Awaitility.await("an empty queue")
        .atMost(Duration.ofMinutes(1))
        .until(() -> admin.ready(queue) + admin.unsettled(queue) == 0);
  }

  /** Opens the queue in a worker. */
  static final class Opener implements SourceOpener {
    @Override
    public Source open(String uri, String queue) {
      return SqsOpener.configured(SqsOpener.client(uri), queue).visibilityTimeout(VISIBILITY);
    }
  }
}
