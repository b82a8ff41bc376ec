package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.acklast.servers.QueueState;
import dev.acklast.servers.Servers;
import dev.acklast.servers.VirtualHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two JVMs on one RabbitMQ queue are killed in turn, again and again: each effect happens once. */
@Tag("broker")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class KillLoopTest {
  private static final String QUEUE = "orders";

  @TempDir private Path folder;
  private VirtualHost host;
  private Database database;
  private KillLoop loop;

  @BeforeEach
  void prepare() {
    host = Servers.sharedRabbit().virtualHost(Servers.uniqueName("kill"));
    database = new Database(Servers.sharedPostgres());
    loop =
        new KillLoop(
            new WorkerProcess.Work(RabbitOpener.class, host.amqpUri(), QUEUE, Duration.ZERO),
            database,
            folder);
  }

  @AfterEach
  void tidy() throws Exception {
    loop.close();
    database.close();
    host.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  void fiveThousandMessagesAreFiveThousandEffects(String kind) throws Exception {
    killUntilDone(5_000, kind, 4);
  }

  @Test
  @Tag("long")
  void fiftyThousandMessagesAreFiftyThousandEffects() throws Exception {
    killUntilDone(50_000, "classic", 10);
  }

  @ParameterizedTest
  @Tag("A14")
  @ValueSource(strings = {"classic", "quorum"})
  void messageWhoseDecodingKillsTheJvmIsDeadLetteredAndItsNeighboursAreNot(String kind)
      throws Exception {
    publish(
        kind,
        Stream.of(orders("before", 20), orders("fatal", 1), orders("after", 20))
            .flatMap(List::stream)
            .toList());
    int deaths = 0;
    WorkerProcess worker = loop.start(0);
    while (deadLetters() == 0 && deaths <= WorkerProcess.MAX_ATTEMPTS + 2) {
      WorkerProcess current = worker;
      Awaitility.await("a death, or the end of the fatal message")
          .atMost(Duration.ofMinutes(1))
          .until(() -> !current.isAlive() || deadLetters() > 0);
      if (!current.isAlive()) {
        deaths++;
        worker = loop.start(0);
      }
    }
    assertThat(deaths).isBetween(1, WorkerProcess.MAX_ATTEMPTS + 2);
    loop.awaitEffects(40);
    awaitEmptyQueue();
    assertThat(database.effects()).isEqualTo(40);
    assertThat(database.distinctEffects()).isEqualTo(40);
    assertThat(deadLetters()).isEqualTo(1);
  }

  private void killUntilDone(int messages, String kind, int leastKills) throws Exception {
    publish(kind, orders("order", messages));
    loop.killUntilDone(messages, leastKills, this::awaitEmptyQueue);
    assertThat(deadLetters()).isZero();
  }

  private long deadLetters() {
    return host.findQueue(QUEUE + ".dlq").map(QueueState::ready).orElse(0L);
  }

  private void awaitEmptyQueue() {
    Awaitility.await("an empty queue")
        .atMost(Duration.ofMinutes(2))
        .until(() -> host.queue(QUEUE).total() == 0);
  }

  private static List<String> orders(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + "-" + i).toList();
  }

  private void publish(String kind, List<String> orders) throws Exception {
    AMQP.BasicProperties persistent =
        MessageProperties.PERSISTENT_BASIC.builder().contentType("application/json").build();
    try (Connection connection = host.connectionFactory().newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", kind));
      channel.confirmSelect();
      int sent = 0;
      for (String id : orders) {
        byte[] body = ("{\"orderId\":\"" + id + "\"}").getBytes(StandardCharsets.UTF_8);
        channel.basicPublish("", QUEUE, persistent, body);
        if (++sent % 1000 == 0) {
          channel.waitForConfirmsOrDie(60_000);
        }
      }
      channel.waitForConfirmsOrDie(60_000);
    }
  }
}
