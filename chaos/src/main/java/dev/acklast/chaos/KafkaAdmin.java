package dev.acklast.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.acklast.servers.KafkaServer;
import dev.acklast.spi.DeathReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** What a run asks a Kafka broker, on connections that no proxy breaks. */
final class KafkaAdmin implements AutoCloseable {
  private static final int SECONDS = 20;

  private final KafkaServer server;
  private final Admin admin;

  KafkaAdmin(KafkaServer server) {
    this.server = server;
    this.admin = server.admin();
  }

  void create(String topic, int partitions) {
    NewTopic created = new NewTopic(topic, Optional.of(partitions), Optional.empty());
    get(admin.createTopics(List.of(created)).all());
  }

  /** How large a record of this topic may be. */
  void limit(String topic, int bytes) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    ConfigEntry entry = new ConfigEntry("max.message.bytes", Integer.toString(bytes));
    AlterConfigOp change = new AlterConfigOp(entry, AlterConfigOp.OpType.SET);
    get(admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all());
  }

  /** Records between a consumer group's committed offsets and the ends. */
  long groupLag(String group, String topic, int partitions) {
    var committed = get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    long left = 0;
    for (TopicPartition partition : partitions(topic, partitions)) {
      var offset = committed.get(partition);
      left += end(partition) - (offset == null ? 0 : offset.offset());
    }
    return left;
  }

  /** Records that a share group has not done with. */
  long shareLag(String group, String topic, int partitions) {
    var found =
        get(
            admin
                .listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo(group));
    long left = 0;
    for (TopicPartition partition : partitions(topic, partitions)) {
      var offset = found.get(partition);
      Optional<Long> lag = offset == null ? Optional.empty() : offset.lag();
      left += lag.filter(known -> known >= 0).orElseGet(() -> end(partition));
    }
    return left;
  }

  private long end(TopicPartition partition) {
    var ends = get(admin.listOffsets(Map.of(partition, OffsetSpec.latest())).all());
    return Objects.requireNonNull(ends.get(partition)).offset();
  }

  /** All records of a topic with one partition. */
  List<Letter> letters(String topic) throws IOException {
    TopicPartition partition = new TopicPartition(topic, 0);
    long end = end(partition);
    List<Letter> letters = new ArrayList<>();
    Map<String, Object> settings = Map.of("bootstrap.servers", server.bootstrap());
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      reader.assign(List.of(partition));
      reader.seekToBeginning(List.of(partition));
      while (reader.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofMillis(500))) {
          letters.add(letter(record));
        }
      }
    }
    return letters;
  }

  private static Letter letter(ConsumerRecord<byte[], byte[]> record) throws IOException {
    return new Letter(
        text(record, Letter.KEY_HEADER),
        text(record, Letter.ID_HEADER),
        record.value(),
        Letter.Death.parse(text(record, DeathReport.HEADER)));
  }

  private static @Nullable String text(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  private static List<TopicPartition> partitions(String topic, int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> new TopicPartition(topic, number))
        .collect(Collectors.toList());
  }

  private static <R> R get(KafkaFuture<R> answer) {
    try {
      return answer.get(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking Kafka", e);
    } catch (Exception e) {
      throw new IllegalStateException("Kafka did not do as it was asked: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }
}
