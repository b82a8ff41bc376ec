package dev.acklast.kafka;

import dev.acklast.spi.DeathReport;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Copies records to their dead-letter topic, with an idempotent producer that all replicas in sync
 * must answer. The producer is made at the first use, and anew after a failure that it may not
 * survive. Thread-safe.
 */
final class DeadLetters {
  private final ClientConfig config;
  private final Options options;
  private final SourceSettings settings;
  private final Topics topics;
  private final ExecutorService sending;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private @Nullable Producer<byte[], byte[]> producer; // used on the sending thread alone

  DeadLetters(ClientConfig config, Options options, SourceSettings settings, Topics topics) {
    this.config = config;
    this.options = options;
    this.settings = settings;
    this.topics = topics;
    this.sending =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "acklast-kafka-" + settings.consumer() + "-letters");
              thread.setDaemon(true);
              return thread;
            });
    for (String topic : options.topics()) {
      if (options.topics().contains(target(topic))) {
        throw new IllegalArgumentException(
            "The dead-letter topic " + target(topic) + " is a source itself: name another one");
      }
    }
    if (settings.deadLetter() != null) {
      Options.checkTopic(settings.deadLetter());
    }
  }

  /** Where records of a topic go when they die. */
  String target(String topic) {
    String named = settings.deadLetter();
    return named == null ? topic + ".dlq" : named;
  }

  /** Looks for the dead-letter topic of a source, and creates it if it is missing and we may. */
  CompletionStage<Void> ensure(String topic) {
    String target = target(topic);
    return topics.ensure(target, topic, options.createsTopics()).thenRun(() -> known.add(target));
  }

  /**
   * Puts a copy of the record into its dead-letter topic.
   *
   * @return done once all replicas in sync have it
   */
  CompletionStage<SettleResult> send(ConsumerRecord<byte[], byte[]> record, DeathReport report) {
    String target = target(record.topic());
    CompletionStage<Void> there =
        known.contains(target) ? CompletableFuture.completedFuture(null) : ensure(record.topic());
    return there
        .thenCompose(nothing -> confirmed(copy(record, target, report)))
        .handle(
            (nothing, failure) -> failure == null ? SettleResult.done() : failed(record, failure));
  }

  private SettleResult failed(ConsumerRecord<byte[], byte[]> record, Throwable failure) {
    String target = target(record.topic());
    known.remove(target);
    String sentence = Diagnosis.ofDeadLetter(failure, target, Records.bytes(record));
    return SettleResult.failed(sentence, Diagnosis.bare(failure));
  }

  /** Bytes, key, headers and time as received; no partition, as the target may have fewer. */
  private static ProducerRecord<byte[], byte[]> copy(
      ConsumerRecord<byte[], byte[]> record, String target, DeathReport report) {
    Headers headers = new RecordHeaders(record.headers().toArray());
    headers.remove(DeathReport.HEADER);
    headers.add(DeathReport.HEADER, report.toHeader().getBytes(StandardCharsets.US_ASCII));
    Long time = record.timestamp() < 0 ? null : record.timestamp();
    return new ProducerRecord<>(target, null, time, record.key(), record.value(), headers);
  }

  private CompletionStage<Void> confirmed(ProducerRecord<byte[], byte[]> copy) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    try {
      sending.execute(() -> send(copy, answer));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(new IllegalStateException("the consumer is closed"));
    }
    return answer;
  }

  private void send(ProducerRecord<byte[], byte[]> copy, CompletableFuture<Void> answer) {
    try {
      producer()
          .send(
              copy,
              (metadata, failure) -> {
                if (failure == null) {
                  answer.complete(null);
                } else {
                  giveUp(failure, answer);
                }
              });
    } catch (RuntimeException e) {
      giveUp(e, answer);
    }
  }

  private void giveUp(Exception failure, CompletableFuture<Void> answer) {
    if (!(failure instanceof RetriableException) && !(failure instanceof RecordTooLargeException)) {
      onSendingThread(this::dispose);
    }
    answer.completeExceptionally(failure);
  }

  private Producer<byte[], byte[]> producer() {
    if (producer == null) {
      producer =
          new KafkaProducer<>(
              config.producer(settings.consumer()),
              new ByteArraySerializer(),
              new ByteArraySerializer());
    }
    return producer;
  }

  private void dispose() {
    if (producer != null) {
      producer.close(Duration.ZERO);
      producer = null;
    }
  }

  private void onSendingThread(Runnable task) {
    try {
      sending.execute(task);
    } catch (RejectedExecutionException e) {
      // closed meanwhile, and the producer with it
    }
  }

  /** Sends what is under way for as long as this, then ends all threads. */
  void close(Duration limit) {
    onSendingThread(
        () -> {
          if (producer != null) {
            producer.close(limit);
            producer = null;
          }
        });
    sending.shutdown();
    try {
      boolean unused = sending.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
