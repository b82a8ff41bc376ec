package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.Backoff;
import dev.acklast.Body;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Key;
import dev.acklast.kafka.KafkaSource;
import dev.acklast.servers.KafkaServer;
import dev.acklast.servers.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members of a group that come and go all the time, while handlers fail. */
@Tag("C05")
class RebalanceStormTest {
  private static final int PARTITIONS = 8;
  private static final int MEMBERS = 3;
  private static final int FAILING = 97;
  private static final int SLICES = 5;

  private final KafkaServer kafka = Servers.sharedKafka();
  private final Database database = new Database(Servers.sharedPostgres());
  private final DataSource pool = database.pool(MEMBERS * 8);
  private final Admin admin = kafka.admin();
  private final String topic = Servers.uniqueName("storm");
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
  private final List<IdempotentConsumer> members = new ArrayList<>();
  private final OffsetWatch offsets = new OffsetWatch(admin, topic);
  private final AtomicInteger changes = new AtomicInteger();

  @AfterEach
  void close() throws Exception {
    clock.shutdownNow();
    clock.awaitTermination(40, TimeUnit.SECONDS);
    members.forEach(IdempotentConsumer::close);
    admin.close();
    database.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void stormOfRebalancesLosesAndDoublesNothing(String protocol) throws Exception {
    storm(5_000, protocol, Duration.ofMinutes(3));
  }

  @ParameterizedTest
  @Tag("long")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @ValueSource(strings = {"classic", "consumer"})
  void longStormOfRebalancesLosesAndDoublesNothing(String protocol) throws Exception {
    storm(50_000, protocol, Duration.ofMinutes(15));
  }

  private void storm(int records, String protocol, Duration patience) throws Exception {
    admin
        .createTopics(List.of(new NewTopic(topic, Optional.of(PARTITIONS), Optional.empty())))
        .all()
        .get();
    for (int i = 0; i < MEMBERS; i++) {
      members.add(member(protocol));
    }
    ScheduledFuture<?> watch =
        clock.scheduleWithFixedDelay(offsets::look, 0, 200, TimeUnit.MILLISECONDS);
    ScheduledFuture<?> wind =
        clock.scheduleWithFixedDelay(() -> replaceOne(protocol), 2, 2, TimeUnit.SECONDS);

    for (int slice = 0; slice < SLICES; slice++) {
      int turns = slice;
      Awaitility.await("the storm blows")
          .atMost(Duration.ofMinutes(1))
          .until(() -> changes.get() >= turns);
      publish(records / SLICES * slice, records / SLICES * (slice + 1));
    }
    Awaitility.await("all effects")
        .atMost(patience)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> database.distinctEffects() == records);
    assertThat(wind.isDone()).as("the storm has broken off").isFalse();
    wind.cancel(false);
    Awaitility.await("all offsets")
        .atMost(Duration.ofMinutes(1))
        .until(() -> offsets.sum() == records);
    assertThat(watch.isDone()).as("the watch has broken off").isFalse();
    assertThat(offsets.stepsBack()).isEmpty();
    assertThat(database.effects()).isEqualTo(records);
    assertThat(database.number("select count(*) from acklast_attempt")).isZero();
  }

  private void publish(int first, int end) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        KafkaServer.producer(kafka.bootstrap(), Map.of("linger.ms", 5))) {
      for (int i = first; i < end; i++) {
        byte[] text = ("r-" + i).getBytes(StandardCharsets.UTF_8);
        sent.add(producer.send(new ProducerRecord<>(topic, i % PARTITIONS, text, text)));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    }
  }

  private IdempotentConsumer member(String protocol) {
    Map<String, Object> client = new HashMap<>();
    client.put("bootstrap.servers", kafka.bootstrap());
    client.put("group.protocol", protocol);
    if (protocol.equals("classic")) {
      // members hear of a rebalance with a heartbeat: by default after three seconds, too late here
      client.put("heartbeat.interval.ms", 300);
    }
    KafkaSource source = KafkaSource.topics(client, topic).group(topic);
    return IdempotentConsumer.<String>named("storm")
        .source(source)
        .decode(Body.text())
        .key(Key.from(text -> text))
        .database(pool)
        .maxAttempts(10)
        .backoff(Backoff.fixed(Duration.ofMillis(300)))
        .drainTimeout(Duration.ofSeconds(5))
        .apply(
            (text, tx) -> {
              if (tx.attempt() == 1 && text.hashCode() % FAILING == 0) {
                throw new IllegalStateException("fails at first");
              }
              tx.handle().execute("insert into effect values (?, ?)", tx.key(), tx.attempt());
            })
        .start();
  }

  /** One goes, and another comes in its place. */
  private void replaceOne(String protocol) {
    int which = changes.getAndIncrement() % MEMBERS;
    members.get(which).close();
    members.set(which, member(protocol));
  }
}
