package dev.acklast.rabbitmq;

import dev.acklast.spi.SettleResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One copy on its way. Answered once; whatever comes later is ignored. Thread-safe. */
final class PublishJob {
  private final Copy copy;
  private final Workers workers;
  private final CompletableFuture<SettleResult> answer = new CompletableFuture<>();
  private final AtomicBoolean decided = new AtomicBoolean();
  private volatile boolean sent;

  PublishJob(Copy copy, Workers workers) {
    this.copy = copy;
    this.workers = workers;
  }

  Copy copy() {
    return copy;
  }

  CompletableFuture<SettleResult> answer() {
    return answer;
  }

  void sent() {
    sent = true;
  }

  boolean isOver() {
    return decided.get();
  }

  void done() {
    copy.target().worked();
    if (decided.compareAndSet(false, true)) {
      complete(SettleResult.done());
    }
  }

  /** It is not there, or nobody can tell. */
  void failed(String reason, @Nullable Throwable cause) {
    String sentence = "a copy did not reach " + copy.target().description() + ": " + reason;
    if (decided.compareAndSet(false, true)) {
      copy.target().failed(sentence);
      complete(SettleResult.failed(sentence, cause));
    }
  }

  void expired() {
    failed(
        sent
            ? "RabbitMQ did not confirm it in time; it may still arrive"
            : "it could not be sent in time",
        null);
  }

  /** On a thread of its own kind: core goes on from here, and must not hold up the client's. */
  private void complete(SettleResult result) {
    if (!workers.answer(() -> answer.complete(result))) {
      answer.complete(result);
    }
  }
}
