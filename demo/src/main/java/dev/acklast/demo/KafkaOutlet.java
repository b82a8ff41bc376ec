package dev.acklast.demo;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** The shop's side of Kafka. */
record KafkaOutlet(KafkaProducer<byte[], byte[]> producer) implements Broker.Outlet {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

  @Override
  public int most() {
    return 200;
  }

  @Override
  public void publish(List<SaleEvent> events) throws ExecutionException, InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (SaleEvent event : events) {
      byte[] key = bytes(event.sale().id());
      ProducerRecord<byte[], byte[]> message =
          new ProducerRecord<>(KafkaBroker.TOPIC, key, event.sale().body());
      message
          .headers()
          .add(KafkaBroker.MESSAGE_ID, bytes(event.messageId()))
          .add(Publisher.SALE_HEADER, key);
      sent.add(producer.send(message));
    }
    for (Future<RecordMetadata> confirm : sent) {
      confirm.get();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close(CLOSE_LIMIT);
  }
}
