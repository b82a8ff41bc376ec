package dev.acklast.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.acklast.servers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Publishes to Kafka, idempotent and confirmed by all replicas. */
final class KafkaOutlet implements Outlet {
  private static final int ANSWER_SECONDS = 10;

  private final KafkaProducer<byte[], byte[]> producer;

  KafkaOutlet(String bootstrap) {
    Map<String, Object> settings =
        Map.of(
            "acks", "all",
            "enable.idempotence", true,
            "linger.ms", 5,
            "request.timeout.ms", 3_000,
            "delivery.timeout.ms", 8_000,
            "max.block.ms", 5_000,
            "reconnect.backoff.max.ms", 500);
    this.producer = KafkaServer.producer(bootstrap, settings);
  }

  @Override
  public void publish(List<Message> messages, Consumer<Message> confirmed)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<Future<?>> sent = new ArrayList<>();
    for (Message message : messages) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(KafkaBroker.SOURCE, message.key().getBytes(UTF_8), message.body());
      record.headers().add(Letter.KEY_HEADER, message.key().getBytes(UTF_8));
      record.headers().add(Letter.ID_HEADER, message.id().getBytes(UTF_8));
      sent.add(
          producer.send(
              record,
              (place, failure) -> {
                if (failure == null) {
                  confirmed.accept(message);
                }
              }));
    }
    for (Future<?> answer : sent) {
      answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(1));
  }
}
