package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("broker")
class RabbitServerTest {
  private static final Duration SOON = Duration.ofSeconds(15);
  private static RabbitServer server;
  private VirtualHost host;

  @BeforeAll
  static void startServer() {
    server = Servers.rabbit(RabbitOptions.defaults().withConsumerTimeout(Duration.ofSeconds(5)));
  }

  @AfterAll
  static void closeServer() {
    server.close();
  }

  @BeforeEach
  void createVirtualHost() {
    server.start();
    host = server.virtualHost(Servers.uniqueName("server test/ü"));
  }

  @AfterEach
  void deleteVirtualHost() {
    host.close();
  }

  @Test
  void listsTheQueuesOfItsVirtualHostAlone() throws Exception {
    declareAndPublish("sales", 3);
    declareAndPublish("orders", 0);
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(host.queues())
                    .extracting(QueueState::name, QueueState::ready)
                    .containsExactlyInAnyOrder(tuple("sales", 3L), tuple("orders", 0L)));
  }

  @Test
  void keepsDurableMessagesOverAKill() throws Exception {
    int port = server.port();
    declareAndPublish("sales", 3);
    awaitDurable();

    server.kill();
    assertThat(server.isRunning()).isFalse();
    server.start();

    assertThat(server.port()).isEqualTo(port);
    await().atMost(SOON).untilAsserted(() -> assertThat(host.queue("sales").ready()).isEqualTo(3));
  }

  @Test
  void restartsInOrder() throws Exception {
    declareAndPublish("sales", 1);
    awaitDurable();
    server.restart();
    await().atMost(SOON).untilAsserted(() -> assertThat(host.queue("sales").ready()).isEqualTo(1));
  }

  @Test
  void tellsAQueuesState() throws Exception {
    declareAndPublish("sales", 3);
    try (Connection connection = connect()) {
      Channel channel = connection.createChannel();
      channel.basicQos(2);
      channel.basicConsume("sales", false, (tag, delivery) -> {}, tag -> {});
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(host.queue("sales"))
                      .isEqualTo(
                          new QueueState(
                              "sales", "quorum", 1, 2, 0, 1, Map.of("x-queue-type", "quorum"))));
    }
    assertThat(host.findQueue("none")).isEmpty();
    assertThatThrownBy(() -> host.queue("none")).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void tellsWhatLeavesAQueueAndHasNotArrived() throws Exception {
    Map<String, Object> delay =
        Map.of(
            "x-queue-type", "quorum",
            "x-message-ttl", 1,
            "x-overflow", "reject-publish",
            "x-dead-letter-strategy", "at-least-once",
            "x-dead-letter-exchange", "",
            "x-dead-letter-routing-key", "nowhere");
    try (Connection connection = connect()) {
      Channel channel = connection.createChannel();
      channel.queueDeclare("delay", true, false, false, delay);
      channel.basicPublish("", "delay", MessageProperties.PERSISTENT_BASIC, new byte[1]);
      await().atMost(SOON).until(() -> host.queue("delay").leaving() == 1);
      assertThat(host.queue("delay").total()).isEqualTo(1);
    }
  }

  @Test
  void closesTheChannelThatHoldsADeliveryTooLong() throws Exception {
    declareAndPublish("sales", 1);
    try (Connection connection = connect()) {
      Channel channel = connection.createChannel();
      channel.basicConsume("sales", false, (tag, delivery) -> {}, tag -> {});
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(String.valueOf(channel.getCloseReason()))
                      .contains("delivery acknowledgement on channel 1 timed out"));
    }
  }

  @Test
  void closesTheConnectionsOfOneVirtualHostOnly() throws Exception {
    try (Connection ours = connect();
        Connection other = newConnection(server.connectionFactory())) {
      await().atMost(SOON).until(() -> host.closeAllConnections() > 0);
      await().atMost(SOON).until(() -> !ours.isOpen());
      assertThat(other.isOpen()).isTrue();
    } catch (AlreadyClosedException e) {
      // what closing a closed connection says
    }
  }

  @Test
  void blocksPublishersUnderAMemoryAlarm() throws Exception {
    try (Connection connection = connect()) {
      AtomicReference<String> state = new AtomicReference<>("open");
      connection.addBlockedListener(state::set, () -> state.set("unblocked"));
      Channel channel = connection.createChannel();
      channel.queueDeclare("sales", true, false, false, Map.of());

      server.memoryAlarm(true);
      channel.basicPublish("", "sales", MessageProperties.PERSISTENT_BASIC, new byte[1]);
      await().atMost(SOON).untilAsserted(() -> assertThat(state).hasValue("low on memory"));

      server.memoryAlarm(false);
      await().atMost(SOON).untilAsserted(() -> assertThat(state).hasValue("unblocked"));
      await().atMost(SOON).until(() -> host.queue("sales").ready() == 1);
    } finally {
      server.memoryAlarm(false);
    }
  }

  @Test
  void answersNoHeartbeatWhileItIsFrozen() throws Exception {
    ConnectionFactory factory = host.connectionFactory();
    factory.setRequestedHeartbeat(1);
    try (Connection connection = newConnection(factory)) {
      server.freeze();
      await().atMost(SOON).until(() -> !connection.isOpen());
    } catch (AlreadyClosedException e) {
      // what closing a closed connection says
    } finally {
      server.thaw();
    }
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              try (Connection connection = connect()) {
                assertThat(connection.isOpen()).isTrue();
              }
            });
  }

  @Test
  void limitsUsersToWhatTheyMayDo() throws Exception {
    declareAndPublish("sales", 1);
    String uri = host.createUser("reader", "p@ss/word", "", "", "sales");
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    try (Connection connection = newConnection(factory)) {
      assertThat(connection.createChannel().basicGet("sales", false)).isNotNull();
      assertThatThrownBy(
              () -> connection.createChannel().queueDeclare("more", true, false, false, Map.of()))
          .hasRootCauseMessage(refusal("more"));
    }
  }

  @Test
  void appliesPolicies() throws Exception {
    host.setPolicy("short", "^sales$", Map.of("max-length", 1), "queues");
    declareAndPublish("sales", 3);
    await().atMost(SOON).untilAsserted(() -> assertThat(host.queue("sales").ready()).isEqualTo(1));
    host.deletePolicy("short");
  }

  @Test
  void saysWhatRabbitmqctlSays() {
    assertThat(server.rabbitmqctl("list_vhosts", "--quiet")).contains(host.name());
    assertThatThrownBy(() -> server.rabbitmqctl("no_such_command"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no_such_command");
  }

  @Test
  void showsTheEndOfTheLogWhenItDoesNotStart() {
    RabbitOptions wrong = RabbitOptions.defaults().with("no.such.key", "1");
    assertThatThrownBy(() -> Servers.rabbit(wrong))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended while it was starting")
        .hasMessageContaining("no.such.key");
  }

  private String refusal(String queue) {
    return "channel error; protocol method: #method<channel.close>(reply-code=403,"
        + " reply-text=ACCESS_REFUSED - access to queue '"
        + queue
        + "' in vhost '"
        + host.name()
        + "' refused for user 'reader', class-id=50, method-id=10)";
  }

  private void declareAndPublish(String queue, int messages) throws Exception {
    try (Connection connection = connect()) {
      Channel channel = connection.createChannel();
      channel.confirmSelect();
      channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
      for (int i = 0; i < messages; i++) {
        channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, new byte[] {1});
      }
      channel.waitForConfirmsOrDie(10_000);
    }
  }

  /** A quorum queue that is killed right after its declaration comes back empty. */
  private static void awaitDurable() {
    long declared = System.nanoTime();
    await().until(() -> System.nanoTime() - declared > Duration.ofSeconds(2).toNanos());
  }

  private Connection connect() throws IOException, TimeoutException {
    return newConnection(host.connectionFactory());
  }

  private static Connection newConnection(ConnectionFactory factory)
      throws IOException, TimeoutException {
    factory.setAutomaticRecoveryEnabled(false);
    return factory.newConnection("server test");
  }
}
