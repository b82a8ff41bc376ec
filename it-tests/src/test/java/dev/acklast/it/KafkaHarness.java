package dev.acklast.it;

import dev.acklast.kafka.KafkaSource;
import dev.acklast.servers.KafkaServer;
import dev.acklast.servers.Servers;
import dev.acklast.servers.TcpProxy;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import dev.acklast.testkit.contract.Abilities;
import dev.acklast.testkit.contract.Ability;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DeadLetterFault;
import dev.acklast.testkit.contract.NetworkState;
import dev.acklast.testkit.contract.SourceOpener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * Binds the contract to topics of this JVM's Kafka broker, each with one partition and a group of
 * its own. Consumers come through a proxy, which breaks their connections; the case's own calls do
 * not. What is left is the broker's word; which of it consumers have is counted where they take it.
 */
public final class KafkaHarness implements BrokerHarness {
  private static final Duration LATENCY = Duration.ofMillis(30);
  private static final String UNREACHABLE =
      "one broker has source and dead letters: what silences one topic silences both";
  private static final String REFUSING = "the topic's limits refuse it, see FULL_DEAD_LETTER";

  /** Room for the most attempts that a case allows. */
  private static final String DELIVERIES = "25";

  private final boolean share;
  private final KafkaServer server = Servers.sharedKafka();
  private final KafkaAdmin admin = new KafkaAdmin(server);
  private final HandedOver handed = new HandedOver();
  private final Set<String> groups = ConcurrentHashMap.newKeySet();

  private KafkaHarness(boolean share) {
    this.share = share;
  }

  public static KafkaHarness consumerGroup() {
    return new KafkaHarness(false);
  }

  public static KafkaHarness shareGroup() {
    return new KafkaHarness(true);
  }

  @Override
  public String kind() {
    return share ? "kafka share group" : "kafka consumer group";
  }

  @Override
  public Abilities abilities() {
    Abilities abilities =
        Abilities.all()
            .without(Ability.NATIVE_RETRY, "Kafka cannot delay a record; core parks what waits")
            .without(Ability.MESSAGE_ID, "a record has a place in its partition, and no id")
            .without(Ability.TYPED_HEADERS, "header values are bytes")
            .without(Ability.FILL_SOURCE, "a topic does not get full")
            .without(Ability.SHORT_LEASE, "locks and assignments are kept for as long as needed")
            .without(Ability.MISSING_DEAD_LETTER, "a missing topic is created again")
            .without(Ability.REFUSING_DEAD_LETTER, REFUSING)
            .without(Ability.UNREACHABLE_DEAD_LETTER, UNREACHABLE);
    if (share) {
      abilities =
          abilities
              .without(Ability.ORDERED, "members of a share group compete for records")
              .without(Ability.ORDER_ON_RELEASE, "a share group keeps no order");
    }
    if (!server.canRestart()) {
      String reason = "the broker is not the harness's to stop";
      abilities =
          abilities
              .without(Ability.RESTART, reason)
              .without(Ability.STOP, reason)
              .without(Ability.FREEZE, reason);
    }
    if (server.proxy().isEmpty()) {
      String reason = "there is no proxy in front of the broker";
      abilities = abilities.without(Ability.CUT, reason).without(Ability.NETWORK, reason);
    }
    return abilities;
  }

  @Override
  public Duration patience() {
    return Duration.ofSeconds(90);
  }

  @Override
  public void createQueue(String queue) {
    admin.create(queue, Map.of("max.message.bytes", String.valueOf(2 << 20)));
    if (share) {
      admin.set(ConfigResource.Type.GROUP, queue, "share.delivery.count.limit", DELIVERIES);
    }
  }

  @Override
  public Source source(String queue) {
    groups.add(queue);
    return handed.counting(open(server.proxiedBootstrap(), queue, share));
  }

  @Override
  public Source orderedSource(String queue) {
    return source(queue);
  }

  /** A source as users open it, whose connections are noticed dead within seconds. */
  static Source open(String bootstrap, String queue, boolean share) {
    Map<String, Object> client =
        Map.of(
            "bootstrap.servers", bootstrap,
            "request.timeout.ms", 3_000,
            "session.timeout.ms", 6_000, // how long a dead process keeps its partitions
            "reconnect.backoff.max.ms", 500);
    KafkaSource topics = KafkaSource.topics(client, queue);
    return share ? topics.shareGroup(queue) : topics.group(queue);
  }

  @Override
  public void publish(String queue, List<Envelope> messages) {
    admin.publish(queue, messages);
  }

  @Override
  public int ready(String queue) {
    return Math.max(0, left(queue) - unsettled(queue));
  }

  @Override
  public int unsettled(String queue) {
    return handed.unsettled(queue);
  }

  /** A consumer group's offset also waits for the first record that is not done. */
  @Override
  public int left(String queue) {
    if (share) {
      return (int) admin.lag(queue, queue);
    }
    long committed = admin.committed(queue, queue);
    return (int) (admin.end(queue) - committed - handed.ackedFrom(queue, committed));
  }

  @Override
  public List<Envelope> deadLetters(String deadLetterQueue) {
    return admin.look(deadLetterQueue).stream().map(KafkaHarness::envelope).toList();
  }

  private static Envelope envelope(ConsumerRecord<byte[], byte[]> record) {
    Map<String, @Nullable Object> headers = new LinkedHashMap<>();
    record
        .headers()
        .forEach(
            header ->
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
    Object contentType = headers.get("content-type");
    return Envelope.of(record.topic(), record.value())
        .headers(headers)
        .contentType((String) contentType)
        .build();
  }

  @Override
  public void redrive(String deadLetterQueue, String queue) {
    List<ConsumerRecord<byte[], byte[]>> letters = admin.look(deadLetterQueue);
    admin.delete(deadLetterQueue);
    admin.create(deadLetterQueue, Map.of());
    admin.copy(letters, queue);
  }

  @Override
  public void breakDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    switch (fault) {
      case FULL -> set(deadLetterQueue, "max.message.bytes", 1);
      case MISSING, REFUSING, UNREACHABLE ->
          throw new UnsupportedOperationException("see abilities()");
    }
  }

  @Override
  public void mendDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    switch (fault) {
      case FULL -> set(deadLetterQueue, "max.message.bytes", 2 << 20);
      case MISSING, REFUSING, UNREACHABLE ->
          throw new UnsupportedOperationException("see abilities()");
    }
  }

  private void set(String topic, String key, int value) {
    admin.set(ConfigResource.Type.TOPIC, topic, key, String.valueOf(value));
  }

  private TcpProxy proxy() {
    return server.proxy().orElseThrow();
  }

  @Override
  public void deleteQueue(String queue) {
    admin.delete(queue);
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void cutConnections() {
    proxy().cut();
    if (!share) {
      groups.forEach(admin::expelMembers); // an assignment outlives a connection
    }
  }

  @Override
  public void freeze() {
    server.freeze();
  }

  @Override
  public void thaw() {
    server.thaw();
  }

  @Override
  public void network(NetworkState state) {
    proxy().blackhole(state == NetworkState.HALF_OPEN);
    proxy().latency(state == NetworkState.SLOW ? LATENCY : Duration.ZERO);
  }

  @Override
  public Class<? extends SourceOpener> opener() {
    return share ? KafkaShareOpener.class : KafkaGroupOpener.class;
  }

  @Override
  public String uri() {
    return server.bootstrap();
  }

  @Override
  public void tidy() {
    groups.clear();
    if (server.proxy().isPresent()) {
      network(NetworkState.GOOD);
    }
  }
}
