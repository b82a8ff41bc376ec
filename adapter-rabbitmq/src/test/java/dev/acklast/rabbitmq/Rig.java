package dev.acklast.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.acklast.servers.RabbitServer;
import dev.acklast.servers.Servers;
import dev.acklast.servers.VirtualHost;
import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;

/**
 * A virtual host of its own on a real broker, with an operator's connection beside the adapter's.
 */
final class Rig implements AutoCloseable {
  static final Duration LONGEST_DELAY = Duration.ofSeconds(4);

  final RabbitServer server;
  final VirtualHost host;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private Connection connection;
  private Channel channel;

  private Rig(RabbitServer server) throws Exception {
    this.server = server;
    this.host = server.virtualHost(Servers.uniqueName("rig"));
    reconnect();
  }

  static Rig shared() throws Exception {
    return new Rig(Servers.sharedRabbit());
  }

  static Rig on(RabbitServer server) throws Exception {
    return new Rig(server);
  }

  /** The operator's connection anew: after a restart of the broker. */
  void reconnect() throws Exception {
    if (connection != null) {
      connection.abort(1000);
    }
    ConnectionFactory plain = host.connectionFactory();
    plain.setAutomaticRecoveryEnabled(false); // it would declare again what a test let vanish
    connection = plain.newConnection("operator");
    channel = connection.createChannel();
  }

  /** With heartbeats short enough for a test. */
  ConnectionFactory factory() {
    ConnectionFactory factory = host.connectionFactory();
    factory.setRequestedHeartbeat(1);
    return factory;
  }

  RabbitSource source(String... queues) {
    return RabbitSource.queues(factory(), List.of(queues));
  }

  static SourceSettings settings(int prefetch) {
    return new SourceSettings("tests", prefetch, null, LONGEST_DELAY, false);
  }

  Subscription start(RabbitSource source, RecordingSink sink) {
    return start(source, settings(50), sink);
  }

  Subscription start(RabbitSource source, SourceSettings settings, RecordingSink sink) {
    Subscription subscription = source.subscribe(settings, sink);
    subscriptions.add(subscription);
    subscription.start();
    return subscription;
  }

  /** Started, and consuming. */
  Subscription up(RabbitSource source, RecordingSink sink) {
    return up(source, settings(50), sink);
  }

  Subscription up(RabbitSource source, SourceSettings settings, RecordingSink sink) {
    Subscription subscription = start(source, settings, sink);
    awaitUp(subscription);
    return subscription;
  }

  static void awaitUp(Subscription subscription) {
    awaiting().untilAsserted(() -> assertThat(subscription.health()).isEqualTo(Health.up()));
  }

  static void awaitHealth(Subscription subscription, Health.Status status, String... words) {
    awaiting()
        .untilAsserted(
            () -> {
              assertThat(subscription.health().status()).isEqualTo(status);
              String reasons = String.join("; ", subscription.health().reasons());
              assertThat(List.of(words)).allMatch(reasons::contains, "in: " + reasons);
            });
  }

  static ConditionFactory awaiting() {
    return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20));
  }

  Channel operator() {
    return channel;
  }

  /** A channel that may be broken by what the test does. */
  Channel spare() throws Exception {
    return connection.createChannel();
  }

  void queue(String name, String type) throws Exception {
    queue(name, Map.of("x-queue-type", type));
  }

  void queue(String name, Map<String, Object> arguments) throws Exception {
    channel.queueDeclare(name, true, false, false, arguments);
  }

  void publish(String queue, String... bodies) throws Exception {
    for (String body : bodies) {
      publish(queue, new BasicProperties.Builder().deliveryMode(2).build(), body);
    }
  }

  void publish(String queue, BasicProperties properties, String body) throws Exception {
    channel.basicPublish("", queue, properties, body.getBytes(StandardCharsets.UTF_8));
  }

  /** Ready messages, as AMQP tells; exact when nothing is under way. */
  long ready(String queue) throws Exception {
    return channel.messageCount(queue);
  }

  boolean exists(String queue) {
    return host.findQueue(queue).isPresent();
  }

  /** Waits for a message, and takes it off. */
  GetResponse take(String queue) {
    return awaiting().until(() -> channel.basicGet(queue, true), got -> got != null);
  }

  /** Closes all connections as an operator would, until the one of this delivery is gone too. */
  void cutConnections(Acker delivery) throws Exception {
    awaiting()
        .until(
            () -> {
              host.closeAllConnections(); // knows young connections only after a moment
              return !delivery.isLive();
            });
    reconnect();
  }

  /**
   * Neither ready nor unsettled: ends the subscriptions, so that the broker takes back what is
   * unsettled, and counts. Quicker than the statistics of the broker.
   */
  void endEmpty(String queue) {
    close(subscriptions);
    await()
        .atMost(Duration.ofSeconds(10))
        .during(Duration.ofMillis(150))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> ready(queue) == 0);
  }

  private static void close(List<Subscription> all) {
    all.forEach(subscription -> subscription.close(Duration.ofSeconds(3)));
  }

  AMQP.Queue.DeclareOk passive(String queue) throws Exception {
    return channel.queueDeclarePassive(queue);
  }

  static SettleResult settled(CompletionStage<SettleResult> stage) {
    try {
      return stage.toCompletableFuture().get(12, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("not settled in time", e);
    }
  }

  static SettleResult.Status ack(Acker acker) {
    return settled(acker.ack()).status();
  }

  static DeathReport death(String id) {
    return new DeathReport(
        id,
        "MAX_ATTEMPTS",
        3,
        "java.lang.IllegalStateException",
        "ünlucky",
        "sales",
        "sales#1",
        "tests",
        "key-1",
        Instant.parse("2026-01-02T03:04:05Z"));
  }

  @Override
  public void close() throws Exception {
    close(subscriptions);
    connection.abort(2000);
    host.close();
  }
}
