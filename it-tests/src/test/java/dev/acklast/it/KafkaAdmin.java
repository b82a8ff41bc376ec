package dev.acklast.it;

import dev.acklast.servers.KafkaServer;
import dev.acklast.spi.Envelope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** What cases do on a Kafka broker beside consuming, on connections that no proxy breaks. */
final class KafkaAdmin {
  private static final int SECONDS = 30;

  private final Admin admin;
  private final String bootstrap;
  private final KafkaProducer<byte[], byte[]> producer;

  KafkaAdmin(KafkaServer server) {
    admin = server.admin();
    bootstrap = server.bootstrap();
    Map<String, Object> settings =
        Map.of("linger.ms", 5, "max.request.size", 4 << 20, "batch.size", 1 << 20, "acks", "all");
    producer = KafkaServer.producer(bootstrap, settings);
  }

  /** Creates a topic, or leaves the one that is there. */
  void create(String topic, Map<String, String> settings) {
    NewTopic created =
        new NewTopic(topic, Optional.of(1), Optional.empty())
            .configs(new LinkedHashMap<>(settings));
    unless(TopicExistsException.class, admin.createTopics(List.of(created)).all());
    while (!has(topic)) {
      Thread.onSpinWait();
    }
  }

  void delete(String topic) {
    unless(UnknownTopicOrPartitionException.class, admin.deleteTopics(List.of(topic)).all());
    while (has(topic)) {
      Thread.onSpinWait();
    }
  }

  boolean has(String topic) {
    return unless(
            UnknownTopicOrPartitionException.class,
            admin.describeTopics(List.of(topic)).allTopicNames())
        .isPresent();
  }

  /** Sets what a topic or group is configured with. */
  void set(ConfigResource.Type type, String name, String key, String value) {
    var change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    of(
        admin
            .incrementalAlterConfigs(Map.of(new ConfigResource(type, name), List.of(change)))
            .all());
  }

  void publish(String topic, List<Envelope> messages) {
    List<java.util.concurrent.Future<?>> sent = new ArrayList<>();
    for (Envelope message : messages) {
      sent.add(producer.send(record(topic, message)));
    }
    producer.flush();
    sent.forEach(KafkaAdmin::confirmed);
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, Envelope message) {
    byte[] key =
        message.orderingKey() == null
            ? null
            : message.orderingKey().getBytes(StandardCharsets.UTF_8);
    Long time = message.timestamp() == null ? null : message.timestamp().toEpochMilli();
    var record = new ProducerRecord<>(topic, null, time, key, message.body());
    message.headers().forEach((name, value) -> record.headers().add(name, bytes(value)));
    if (message.contentType() != null) {
      record.headers().add("content-type", bytes(message.contentType()));
    }
    return record;
  }

  private static byte @Nullable [] bytes(@Nullable Object value) {
    if (value == null || value instanceof byte[]) {
      return (byte[]) value;
    }
    return String.valueOf(value).getBytes(StandardCharsets.UTF_8);
  }

  private static void confirmed(java.util.concurrent.Future<?> sent) {
    try {
      sent.get(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the broker did not take what a case sent", e);
    }
  }

  /** All records of a topic's one partition; none if it does not exist. */
  List<ConsumerRecord<byte[], byte[]>> look(String topic) {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    long end = end(topic);
    if (end == 0) {
      return all;
    }
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "auto.offset.reset",
            "earliest",
            "fetch.max.wait.ms",
            50);
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      reader.assign(List.of(partition));
      reader.seekToBeginning(List.of(partition));
      while (reader.position(partition) < end) {
        reader.poll(Duration.ofMillis(200)).forEach(all::add);
      }
    }
    return all;
  }

  /** Appends copies of these records to a topic. */
  void copy(List<ConsumerRecord<byte[], byte[]>> records, String topic) {
    for (ConsumerRecord<byte[], byte[]> one : records) {
      confirmed(
          producer.send(
              new ProducerRecord<>(
                  topic, null, one.timestamp(), one.key(), one.value(), one.headers())));
    }
  }

  /** The offset that the next record will have; 0 if the topic does not exist. */
  long end(String topic) {
    return offset(topic, OffsetSpec.latest());
  }

  private long offset(String topic, OffsetSpec which) {
    TopicPartition partition = new TopicPartition(topic, 0);
    return unless(
            UnknownTopicOrPartitionException.class,
            admin.listOffsets(Map.of(partition, which)).all())
        .map(found -> found.get(partition))
        .map(ListOffsetsResultInfo::offset)
        .orElse(0L);
  }

  /** Where a consumer group stands; 0 if it has committed nothing. */
  long committed(String group, String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    return unless(
            GroupIdNotFoundException.class,
            admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
        .map(found -> found.get(partition))
        .map(OffsetAndMetadata::offset)
        .orElse(0L);
  }

  /** The coordinator forgets a consumer group's members, as after sessions that have run out. */
  void expelMembers(String group) {
    try {
      unless(
          KafkaException.class,
          admin
              .removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
              .all());
    } catch (IllegalStateException e) {
      // So the client calls a group without members: its coordinator has nothing to forget.
      Throwable refused = e.getCause() == null ? null : e.getCause().getCause();
      if (!(refused instanceof IllegalArgumentException)) {
        throw e;
      }
    }
  }

  /** How many records a share group has not done with; all if it has not begun. */
  long lag(String group, String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    Optional<SharePartitionOffsetInfo> found =
        unless(
                GroupIdNotFoundException.class,
                admin
                    .listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
                    .partitionsToOffsetInfo(group))
            .map(all -> all.get(partition));
    return found
        .flatMap(SharePartitionOffsetInfo::lag)
        .filter(lag -> lag >= 0)
        .orElseGet(() -> end(topic));
  }

  private static <R> Optional<R> unless(
      Class<? extends Exception> expected, KafkaFuture<R> answer) {
    try {
      return Optional.ofNullable(answer.get(SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      if (expected.isInstance(e.getCause())) {
        return Optional.empty();
      }
      throw new IllegalStateException("the broker did not do as the case asked", e);
    } catch (InterruptedException | TimeoutException e) {
      throw new IllegalStateException("the broker did not answer the case", e);
    }
  }

  private static <R> void of(KafkaFuture<R> answer) {
    unless(NeverException.class, answer);
  }

  private static final class NeverException extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
