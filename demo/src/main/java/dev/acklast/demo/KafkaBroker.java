package dev.acklast.demo;

import dev.acklast.servers.KafkaServer;
import dev.acklast.servers.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Kafka: one topic, and a consumer group for each consumer. */
record KafkaBroker(KafkaServer server, Admin admin) implements Broker {
  static final String BOOTSTRAP = "KAFKA_BOOTSTRAP";
  static final String TOPIC = "sales";
  static final String MESSAGE_ID = "message-id";
  static final String USUAL_GROUP = "usual";
  static final String USUAL_DEAD_LETTERS = "sales.usual.dlq";
  private static final String ACKLAST_GROUP = "commissions";
  private static final String ACKLAST_DEAD_LETTERS = "sales.dlq";
  private static final int PARTITIONS = 4;
  private static final short ONE_NODE = 1;
  private static final int SEND_LIMIT_MILLIS = 20_000;
  private static final Duration POLL = Duration.ofSeconds(1);

  static Broker start() {
    KafkaServer server = Servers.kafka();
    return new KafkaBroker(server, server.admin());
  }

  @Override
  public void declare() throws ExecutionException, InterruptedException {
    admin
        .createTopics(
            List.of(
                new NewTopic(TOPIC, PARTITIONS, ONE_NODE),
                new NewTopic(ACKLAST_DEAD_LETTERS, PARTITIONS, ONE_NODE),
                new NewTopic(USUAL_DEAD_LETTERS, PARTITIONS, ONE_NODE)))
        .all()
        .get();
  }

  @Override
  public Outlet open() {
    return new KafkaOutlet(producer(server.bootstrap()));
  }

  /** A producer that hears each record confirmed. */
  static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
    return KafkaServer.producer(
        bootstrap,
        Map.of(
            "acks",
            "all",
            "delivery.timeout.ms",
            SEND_LIMIT_MILLIS,
            "request.timeout.ms",
            SEND_LIMIT_MILLIS / 2,
            "max.block.ms",
            SEND_LIMIT_MILLIS));
  }

  @Override
  public long unfinished() {
    return left(ACKLAST_GROUP) + left(USUAL_GROUP);
  }

  @Override
  public long left() {
    return left(ACKLAST_GROUP);
  }

  private long left(String group) {
    Map<TopicPartition, @Nullable OffsetAndMetadata> committed =
        answer(
            admin -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get());
    return ends(TOPIC).entrySet().stream()
        .mapToLong(
            end -> {
              OffsetAndMetadata done = committed.get(end.getKey());
              return end.getValue() - (done == null ? 0 : done.offset());
            })
        .sum();
  }

  private Map<TopicPartition, Long> ends(String topic) {
    Map<TopicPartition, OffsetSpec> latest =
        IntStream.range(0, PARTITIONS)
            .mapToObj(number -> new TopicPartition(topic, number))
            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
    return answer(admin -> admin.listOffsets(latest).all().get()).entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
  }

  private <R> R answer(Question<R> question) {
    try {
      return question.ask(admin);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka does not answer", e);
    }
  }

  private interface Question<R> {
    R ask(Admin admin) throws ExecutionException, InterruptedException;
  }

  @Override
  public List<DeadLetter> deadLetters(Side side) {
    Map<TopicPartition, Long> ends =
        ends(side == Side.ACKLAST ? ACKLAST_DEAD_LETTERS : USUAL_DEAD_LETTERS);
    List<DeadLetter> letters = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", server.bootstrap(), "enable.auto.commit", false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(ends.keySet());
      consumer.seekToBeginning(ends.keySet());
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(POLL).forEach(letter -> letters.add(letter(letter)));
      }
    }
    return letters;
  }

  private static DeadLetter letter(ConsumerRecord<byte[], byte[]> letter) {
    return new DeadLetter(
        header(letter, Publisher.SALE_HEADER), header(letter, MESSAGE_ID), letter.value());
  }

  /** A header as text; null if there is none. */
  static @Nullable String header(ConsumerRecord<?, ?> message, String name) {
    Header header = message.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public boolean canRestart() {
    return server.canRestart();
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public Map<String, String> environment() {
    return Map.of(BOOTSTRAP, server.bootstrap());
  }

  @Override
  public List<String> hints() {
    return List.of(
        "The topics sales, sales.dlq, sales.usual.dlq, at " + server.bootstrap(),
        "  kafka-console-consumer.sh --bootstrap-server %s --topic sales.dlq --from-beginning"
            .formatted(server.bootstrap()));
  }

  @Override
  public String toString() {
    return server.toString();
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
    server.close();
  }
}
