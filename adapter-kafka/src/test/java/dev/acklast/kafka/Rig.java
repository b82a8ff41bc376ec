package dev.acklast.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.acklast.servers.KafkaServer;
import dev.acklast.servers.Servers;
import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** A topic and a group of a test's own on this JVM's broker, and what the test does with them. */
final class Rig implements AutoCloseable {
  final KafkaServer server = Servers.sharedKafka();
  final Admin admin = server.admin();
  final String topic = Servers.uniqueName("topic");
  final String group = Servers.uniqueName("group");
  private final KafkaProducer<byte[], byte[]> producer = producer(Map.of());
  private final List<Subscription> subscriptions = new ArrayList<>();

  static Rig withTopic(int partitions) {
    Rig rig = new Rig();
    rig.create(rig.topic, partitions, Map.of());
    return rig;
  }

  static ConditionFactory await(String what) {
    return Awaitility.await(what)
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20));
  }

  void create(String name, int partitions, Map<String, String> settings) {
    NewTopic made = new NewTopic(name, Optional.of(partitions), Optional.<Short>empty());
    got(() -> admin.createTopics(List.of(made.configs(settings))).all().get());
  }

  KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
    return KafkaServer.producer(server.bootstrap(), settings);
  }

  /** Sends one after another; each text is its record's body. */
  void send(int partition, String... texts) {
    for (String text : texts) {
      send(new ProducerRecord<>(topic, partition, null, text.getBytes(UTF_8)));
    }
    producer.flush();
  }

  void send(ProducerRecord<byte[], byte[]> record) {
    got(() -> producer.send(record).get());
  }

  /** Sends texts {@code prefix-0} and so on, round robin over the partitions. */
  void sendMany(String prefix, int count, int partitions) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] text = (prefix + "-" + i).getBytes(UTF_8);
      sent.add(producer.send(new ProducerRecord<>(topic, i % partitions, null, text)));
    }
    sent.forEach(one -> got(one::get));
  }

  Map<String, Object> config() {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", server.bootstrap());
    config.put("session.timeout.ms", 6000);
    config.put("heartbeat.interval.ms", 500);
    return config;
  }

  KafkaSource source() {
    return source(Map.of());
  }

  KafkaSource source(Map<String, Object> more) {
    Map<String, Object> config = config();
    config.putAll(more);
    if ("consumer".equals(more.get("group.protocol"))) {
      config.remove("session.timeout.ms");
      config.remove("heartbeat.interval.ms");
    }
    return KafkaSource.topics(config, topic).group(group);
  }

  Subscription start(KafkaSource source, int prefetch, Sink sink) {
    SourceSettings settings =
        new SourceSettings("test", prefetch, null, Duration.ofMinutes(5), false);
    Subscription subscription = source.subscribe(settings, sink);
    subscriptions.add(subscription);
    subscription.start();
    return subscription;
  }

  static void stop(Subscription subscription) {
    subscription.stopIntake();
    subscription.close(Duration.ofSeconds(5));
  }

  @Nullable OffsetAndMetadata committed(int partition) {
    return got(() -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get())
        .get(new TopicPartition(topic, partition));
  }

  long offset(int partition) {
    OffsetAndMetadata committed = committed(partition);
    return committed == null ? -1 : committed.offset();
  }

  /** Leaves an offset as another owner would have left it. */
  void commit(long offset, String metadata) {
    Map<TopicPartition, OffsetAndMetadata> offsets =
        Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset, metadata));
    got(() -> admin.alterConsumerGroupOffsets(group, offsets).all().get());
  }

  void awaitOffset(int partition, long offset) {
    await("offset " + offset).until(() -> offset(partition) == offset);
  }

  /** All records of a topic, transactions or not. */
  List<ConsumerRecord<byte[], byte[]>> records(String name) {
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", server.bootstrap(), "group.id", "reader"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          reader.partitionsFor(name).stream()
              .map(info -> new TopicPartition(name, info.partition()))
              .toList();
      reader.assign(partitions);
      reader.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
      while (ends.entrySet().stream().anyMatch(e -> reader.position(e.getKey()) < e.getValue())) {
        ConsumerRecords<byte[], byte[]> some = reader.poll(Duration.ofMillis(100));
        some.forEach(all::add);
      }
      return all;
    }
  }

  interface Asking<V> {
    V ask() throws ExecutionException, InterruptedException;
  }

  static <V> V got(Asking<V> asking) {
    try {
      return asking.ask();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    subscriptions.forEach(Rig::stop);
    producer.close();
    admin.close();
  }
}
