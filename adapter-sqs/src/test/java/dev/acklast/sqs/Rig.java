package dev.acklast.sqs;

import dev.acklast.servers.Servers;
import dev.acklast.servers.SqsFaults;
import dev.acklast.servers.SqsServer;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Facts;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A queue on a real server, a client that fails on demand, and a sink in core's place. */
final class Rig implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(30);

  final SqsServer server = Servers.sharedSqs();
  final SqsClient admin = server.client();
  final SqsFaults faults = new SqsFaults(admin);
  final String queue;
  final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
  final List<Facts> facts = new CopyOnWriteArrayList<>();
  private final List<Subscription> opened = new CopyOnWriteArrayList<>();

  private Rig(String queue) {
    this.queue = queue;
  }

  static Rig standard() {
    return new Rig(Servers.uniqueName("sales")).created(Map.of());
  }

  static Rig fifo() {
    return new Rig(Servers.uniqueName("sales") + ".fifo").created(Map.of());
  }

  private Rig created(Map<QueueAttributeName, String> attributes) {
    create(queue, attributes);
    return this;
  }

  void create(String name, Map<QueueAttributeName, String> attributes) {
    Map<QueueAttributeName, String> all = new HashMap<>(attributes);
    if (name.endsWith(".fifo")) {
      all.put(QueueAttributeName.FIFO_QUEUE, "true");
    }
    admin.createQueue(create -> create.queueName(name).attributes(all));
  }

  SqsSource source() {
    return source(queue);
  }

  SqsSource source(String name) {
    return SqsSource.queue(faults.client(), name)
        .longPoll(Duration.ofSeconds(1))
        .visibilityTimeout(Duration.ofSeconds(10));
  }

  Subscription start(SqsSource source, int prefetch) {
    return start(source, prefetch, null);
  }

  Subscription start(SqsSource source, int prefetch, String deadLetter) {
    Sink sink =
        new Sink() {
          @Override
          public void opened(Facts found) {
            facts.add(found);
          }

          @Override
          public void deliver(Delivery delivery) {
            deliveries.add(delivery);
          }
        };
    Subscription subscription =
        source.subscribe(
            new SourceSettings("test", prefetch, deadLetter, Duration.ofHours(12), false), sink);
    opened.add(subscription);
    subscription.start();
    return subscription;
  }

  ConditionFactory await(String what) {
    return Awaitility.await(what).atMost(SOON).pollInterval(Duration.ofMillis(50));
  }

  List<Delivery> awaitDeliveries(int count) {
    return await(count + " deliveries").until(() -> deliveries, all -> all.size() >= count);
  }

  static SettleResult settled(CompletionStage<SettleResult> answer) throws Exception {
    return answer.toCompletableFuture().get(15, TimeUnit.SECONDS);
  }

  static String text(Delivery delivery) {
    return new String(delivery.envelope().body(), StandardCharsets.UTF_8);
  }

  void send(String... bodies) {
    for (String body : bodies) {
      send(queue, body, Map.of());
    }
  }

  void send(String name, String body, Map<String, MessageAttributeValue> attributes) {
    String url = url(name);
    boolean fifo = name.endsWith(".fifo");
    admin.sendMessage(
        send ->
            send.queueUrl(url)
                .messageBody(body)
                .messageAttributes(attributes)
                .messageGroupId(fifo ? "group" : null)
                .messageDeduplicationId(fifo ? UUID.randomUUID().toString() : null));
  }

  String url(String name) {
    return admin.getQueueUrl(get -> get.queueName(name)).queueUrl();
  }

  int count(QueueAttributeName attribute) {
    return Integer.parseInt(attribute(queue, attribute));
  }

  int ready() {
    return count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
  }

  int lent() {
    return count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
  }

  String attribute(String name, QueueAttributeName attribute) {
    String url = url(name);
    return admin
        .getQueueAttributes(get -> get.queueUrl(url).attributeNames(attribute))
        .attributes()
        .get(attribute);
  }

  /** The one message of a queue, left there. */
  Message only(String name) {
    String url = url(name);
    List<Message> messages =
        await("a message in " + name)
            .until(
                () ->
                    admin
                        .receiveMessage(
                            receive ->
                                receive
                                    .queueUrl(url)
                                    .visibilityTimeout(0)
                                    .messageAttributeNames("All")
                                    .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
                        .messages(),
                found -> !found.isEmpty());
    return messages.get(0);
  }

  static DeathReport death(String id) {
    return new DeathReport(
        id,
        "MAX_ATTEMPTS",
        5,
        "java.lang.IllegalStateException",
        "no stock",
        "sales",
        "position",
        "test",
        "key",
        Instant.now());
  }

  static MessageAttributeValue text(String value) {
    return Attributes.text(value);
  }

  @Override
  public void close() {
    for (Subscription subscription : opened) {
      subscription.stopIntake();
      subscription.close(Duration.ofSeconds(3));
    }
    admin.close();
  }
}
