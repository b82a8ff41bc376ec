package dev.acklast.kafka;

import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.SettleResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * One record that a member of a share group has under a lock, and what settles it. It is the member
 * that tells the broker, on its own thread. Thread-safe.
 */
final class ShareLoan implements Acker {
  private final ShareMember member;
  private final ConsumerRecord<byte[], byte[]> record;
  private final DeadLetters letters;
  private final CompletableFuture<SettleResult> answer = new CompletableFuture<>();
  private @Nullable AcknowledgeType wanted;

  ShareLoan(ShareMember member, ConsumerRecord<byte[], byte[]> record, DeadLetters letters) {
    this.member = member;
    this.record = record;
    this.letters = letters;
  }

  ConsumerRecord<byte[], byte[]> record() {
    return record;
  }

  /** How it is to be settled; of a loan that its member was asked to settle. */
  synchronized AcknowledgeType wanted() {
    return wanted == null ? AcknowledgeType.RELEASE : wanted;
  }

  @Override
  public CompletionStage<SettleResult> ack() {
    return settle(AcknowledgeType.ACCEPT);
  }

  @Override
  public CompletionStage<SettleResult> release() {
    return settle(AcknowledgeType.RELEASE);
  }

  private CompletionStage<SettleResult> settle(AcknowledgeType type) {
    synchronized (this) {
      if (wanted != null) {
        return late("it was settled before");
      }
      wanted = type;
    }
    if (answer.isDone() || !member.ask(this)) {
      end("its lock has ended");
    }
    return answer;
  }

  private static CompletionStage<SettleResult> late(String reason) {
    return CompletableFuture.completedFuture(SettleResult.late(reason));
  }

  /** The broker has heard it. */
  void done() {
    answer.complete(SettleResult.done());
  }

  /** The record is no longer ours, whatever was wanted. */
  void end(String reason) {
    answer.complete(SettleResult.late(reason));
  }

  @Override
  public CompletionStage<SettleResult> retry(Duration delay) {
    return CompletableFuture.completedFuture(
        SettleResult.failed("a share group cannot delay a record", null));
  }

  @Override
  public CompletionStage<SettleResult> deadLetter(DeathReport report) {
    return isLive() ? letters.send(record, report) : late("its lock has ended");
  }

  @Override
  public boolean isLive() {
    return !answer.isDone() && member.isLocked();
  }
}
