package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Json;
import dev.acklast.Key;
import dev.acklast.servers.Servers;
import dev.acklast.servers.SqsServer;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Health;
import dev.acklast.sqs.SqsSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Consumers on SQS: groups that hold back, and redrive policies. */
class SqsConsumerTest {
  private static final int MAX_ATTEMPTS = 3;
  private static final Duration SOON = Duration.ofSeconds(60);

  private final SqsServer server = Servers.sharedSqs();
  private SqsClient client;
  private SqsAdmin admin;
  private Database database;
  private IdempotentConsumer consumer;

  @BeforeEach
  void prepare() {
    client = server.client();
    admin = new SqsAdmin(client);
    database = new Database(Servers.sharedPostgres());
  }

  @AfterEach
  void close() throws Exception {
    consumer.close();
    database.close();
    client.close();
  }

  @Test
  @Tag("B06")
  void failingMessageHoldsBackItsGroupForTheRetryDelayAndNothingElse() {
    String queue = queue(".fifo");
    AtomicInteger runs = new AtomicInteger();
    long[] failed = new long[1];
    long[] succeeded = new long[1];
    start(
        consumer(queue)
            .backoff(Backoff.fixed(Duration.ofSeconds(2)))
            .apply(
                (order, tx) -> {
                  if (tx.key().equals("g-1") && runs.incrementAndGet() == 1) {
                    failed[0] = System.nanoTime();
                    throw new IllegalStateException("fails once");
                  }
                  if (tx.key().equals("g-1")) {
                    succeeded[0] = System.nanoTime();
                  }
                  tx.handle().execute("insert into effect values (?, 1)", tx.key());
                }));
    admin.publish(
        queue,
        List.of(
            order("g-1", "g"),
            order("g-2", "g"),
            order("g-3", "g"),
            order("h-1", "h"),
            order("h-2", "h")));
    await("all effects").until(() -> database.effects() == 5);
    List<String> ids = database.column("select id from effect order by place");
    assertThat(ids).containsSubsequence("g-1", "g-2", "g-3").containsSubsequence("h-1", "h-2");
    assertThat(ids.subList(0, 2)).containsExactly("h-1", "h-2");
    // The visibility timeout is 30 s.
    assertThat(Duration.ofNanos(succeeded[0] - failed[0]))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(12));
  }

  @Test
  @Tag("B07")
  void poisonInAGroupTakesNoNeighbourToTheDeadLetterQueue() {
    String queue = queue(".fifo");
    String graveyard = withRedrivePolicy(queue, MAX_ATTEMPTS + 4);
    start(consumer(queue).apply(SqsConsumerTest::poisoned));
    admin.publish(queue, List.of(order("poison", "g"), order("healthy", "g")));
    await("the healthy one").until(() -> database.effects("healthy") == 1);
    List<Envelope> dead =
        await("the dead letter").until(() -> admin.look(graveyard), all -> !all.isEmpty());
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).header(DeathReport.HEADER))
        .contains("\"key\":\"poison\"", "\"attempts\":" + MAX_ATTEMPTS);
    assertThat(database.effects()).isEqualTo(1);
  }

  @Test
  @Tag("B05")
  void deadLetterCarriesItsReasonBecauseAcklastCountsBeforeSqsDoes() {
    String queue = queue("");
    String graveyard = withRedrivePolicy(queue, MAX_ATTEMPTS + 4);
    start(consumer(queue).apply(SqsConsumerTest::poisoned));
    admin.publish(queue, List.of(order("poison", null), order("healthy", null)));
    List<Envelope> dead =
        await("the dead letter").until(() -> admin.look(graveyard), all -> !all.isEmpty());
    assertThat(dead.get(0).header(DeathReport.HEADER)).contains("\"reason\":\"MAX_ATTEMPTS\"");
    await("the healthy one").until(() -> database.effects("healthy") == 1);
  }

  @Test
  void redrivePolicyThatLeavesNoRoomForTheAttemptsIsRefusedUntilItIsRaised() {
    String queue = queue("");
    withRedrivePolicy(queue, MAX_ATTEMPTS + 3);
    start(consumer(queue).apply(SqsConsumerTest::poisoned));
    await("the refusal")
        .until(() -> consumer.health().reasons().toString().contains("max-attempts + 3 = 6"));
    assertThat(consumer.health().status()).isEqualTo(Health.Status.DOWN);
    admin.publish(queue, List.of(order("healthy", null)));
    assertThat(database.effects()).isZero();
    withRedrivePolicy(queue, MAX_ATTEMPTS + 4);
    await("health").until(() -> consumer.health().status() == Health.Status.UP);
    await("the healthy one").until(() -> database.effects("healthy") == 1);
  }

  private String queue(String kind) {
    String queue = Servers.uniqueName("orders") + kind;
    admin.create(queue);
    return queue;
  }

  /** The dead-letter queue's name. */
  private String withRedrivePolicy(String queue, int maxReceiveCount) {
    String kind = SqsAdmin.isFifo(queue) ? ".fifo" : "";
    String graveyard = queue.replace(".fifo", "") + "-graveyard" + kind;
    admin.create(graveyard);
    String url = admin.url(graveyard);
    String arn =
        client
            .getQueueAttributes(
                get -> get.queueUrl(url).attributeNames(QueueAttributeName.QUEUE_ARN))
            .attributes()
            .get(QueueAttributeName.QUEUE_ARN);
    String policy =
        "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"%d\"}"
            .formatted(arn, maxReceiveCount);
    String source = admin.url(queue);
    client.setQueueAttributes(
        set -> set.queueUrl(source).attributes(Map.of(QueueAttributeName.REDRIVE_POLICY, policy)));
    return graveyard;
  }

  private ConsumerBuilder<JsonNode> consumer(String queue) {
    return IdempotentConsumer.<JsonNode>named("orders")
        .source(SqsSource.queue(client, queue).longPoll(Duration.ofSeconds(1)))
        .decode(Json.tree())
        .key(Key.pointer("/orderId"))
        .database(database.pool())
        .maxAttempts(MAX_ATTEMPTS)
        .backoff(Backoff.fixed(Duration.ofMillis(200)));
  }

  private void start(ConsumerBuilder<JsonNode> builder) {
    consumer = builder.build();
    consumer.start();
  }

  private static void poisoned(JsonNode order, dev.acklast.MessageTransaction tx) {
    if (tx.key().equals("poison")) {
      throw new IllegalStateException("poisoned");
    }
    tx.handle().execute("insert into effect values (?, 1)", tx.key());
  }

  private static Envelope order(String id, String group) {
    return Envelope.of("?", ("{\"orderId\":\"" + id + "\"}").getBytes(StandardCharsets.UTF_8))
        .orderingKey(group)
        .build();
  }

  private static ConditionFactory await(String what) {
    return Awaitility.await(what).atMost(SOON).pollInterval(Duration.ofMillis(50));
  }
}
