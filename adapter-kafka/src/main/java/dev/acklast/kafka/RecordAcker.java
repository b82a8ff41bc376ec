package dev.acklast.kafka;

import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.SettleResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Settles one delivery of one record, within the assignment that it came from. */
final class RecordAcker implements Acker {
  private final Assignment assignment;
  private final ConsumerRecord<byte[], byte[]> record;
  private final DeadLetters deadLetters;

  RecordAcker(
      Assignment assignment, ConsumerRecord<byte[], byte[]> record, DeadLetters deadLetters) {
    this.assignment = assignment;
    this.record = record;
    this.deadLetters = deadLetters;
  }

  long offset() {
    return record.offset();
  }

  Assignment assignment() {
    return assignment;
  }

  /** Done when it is noted: its offset is committed soon, and a crash before that is a suspect. */
  @Override
  public CompletionStage<SettleResult> ack() {
    return CompletableFuture.completedFuture(assignment.ack(this));
  }

  @Override
  public CompletionStage<SettleResult> retry(Duration delay) {
    String reason = "Kafka cannot delay a record";
    return CompletableFuture.completedFuture(SettleResult.failed(reason, null));
  }

  @Override
  public CompletionStage<SettleResult> deadLetter(DeathReport report) {
    if (!assignment.isLive()) {
      String reason = "the partition is no longer ours";
      return CompletableFuture.completedFuture(SettleResult.late(reason));
    }
    return deadLetters.send(record, report);
  }

  @Override
  public CompletionStage<SettleResult> release() {
    return CompletableFuture.completedFuture(assignment.release(this));
  }

  @Override
  public boolean isLive() {
    return assignment.isLive();
  }
}
