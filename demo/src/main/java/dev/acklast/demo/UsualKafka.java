package dev.acklast.demo;

import ch.qos.logback.classic.Level;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer that is usually written for Kafka, as a program of its own, to compare with.
 *
 * <p>It does what good guides say: no auto-commit; the offsets are committed when all of a poll is
 * in the database; what fails is tried three times in place, and then goes to a dead-letter topic,
 * acknowledged by all, before its offset is committed. The message id is a header.
 */
final class UsualKafka {
  private static final Logger LOG = LoggerFactory.getLogger(UsualKafka.class);
  private static final Duration POLL = Duration.ofMillis(500);

  private final UsualEffect effect;
  private final KafkaProducer<byte[], byte[]> deadLetters;

  private UsualKafka(UsualEffect effect, KafkaProducer<byte[], byte[]> deadLetters) {
    this.effect = effect;
    this.deadLetters = deadLetters;
  }

  /**
   * Consumes until the process ends.
   *
   * @param args none; the environment says where
   * @throws Exception if the database cannot be reached, or a dead letter is refused: the process
   *     ends, and the messages come again
   */
  public static void main(String[] args) throws Exception {
    LogLevel.set(Level.WARN);
    String bootstrap = System.getenv(KafkaBroker.BOOTSTRAP);
    UsualKafka handler =
        new UsualKafka(UsualEffect.fromEnvironment(), KafkaBroker.producer(bootstrap));
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "group.id",
            KafkaBroker.USUAL_GROUP,
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            false,
            "session.timeout.ms",
            6000,
            "heartbeat.interval.ms",
            2000);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(KafkaBroker.TOPIC));
      System.out.println(UsualEffect.AT_WORK);
      while (true) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          handler.handle(message);
        }
        commit(consumer);
      }
    }
  }

  private static void commit(KafkaConsumer<byte[], byte[]> consumer) {
    try {
      consumer.commitSync();
    } catch (KafkaException e) {
      LOG.warn("Not committed, so this comes again: {}", e.getClass().getSimpleName());
    }
  }

  private void handle(ConsumerRecord<byte[], byte[]> message)
      throws ExecutionException, InterruptedException {
    String id = String.valueOf(KafkaBroker.header(message, KafkaBroker.MESSAGE_ID));
    for (int attempt = 1; attempt <= UsualEffect.MAX_ATTEMPTS; attempt++) {
      try {
        effect.apply(id, message.value());
        return;
      } catch (IOException e) {
        break;
      } catch (SQLException e) {
        LOG.warn("Message {} failed: SQLSTATE {}", id, e.getSQLState());
      }
    }
    deadLetters
        .send(
            new ProducerRecord<>(
                KafkaBroker.USUAL_DEAD_LETTERS,
                null,
                message.key(),
                message.value(),
                message.headers()))
        .get();
  }
}
