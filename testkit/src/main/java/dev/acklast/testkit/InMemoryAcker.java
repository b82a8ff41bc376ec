package dev.acklast.testkit;

import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SourceSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Settles one delivery over the link that it came by. Thread-safe. */
record InMemoryAcker(QueueServer server, SourceSettings settings, InFlight delivery)
    implements Acker {
  @Override
  public CompletionStage<SettleResult> ack() {
    return settle(
        mine -> {
          mine.queue.end(mine);
          return SettleResult.done();
        });
  }

  @Override
  public CompletionStage<SettleResult> retry(Duration delay) {
    String wrong = whyNoRetry(delay);
    if (wrong != null) {
      return CompletableFuture.completedFuture(SettleResult.failed(wrong, null));
    }
    return settle(
        mine -> {
          server.delay(mine, delay);
          return SettleResult.done();
        });
  }

  private @Nullable String whyNoRetry(Duration delay) {
    if (!delivery.link.options.nativeRetry()) {
      return "this source does not delay retries: park the delivery instead";
    }
    boolean inRange =
        !delay.isNegative() && !delay.isZero() && delay.compareTo(settings.longestDelay()) <= 0;
    return inRange ? null : "a delay of " + delay + " is not in 0 … " + settings.longestDelay();
  }

  @Override
  public CompletionStage<SettleResult> release() {
    return settle(
        mine -> {
          mine.queue.giveBack(mine);
          return SettleResult.done();
        });
  }

  /** The copy is published while the original stays unsettled: core acks it afterwards. */
  @Override
  public CompletionStage<SettleResult> deadLetter(DeathReport report) {
    String target = InMemorySource.deadLetterOf(delivery.queue.name, settings.deadLetter());
    boolean silent = server.read(() -> isSilent(target));
    if (silent) {
      Duration timeout = delivery.link.options.confirmTimeout();
      return new CompletableFuture<SettleResult>()
          .completeOnTimeout(
              SettleResult.failed("queue " + target + " did not confirm in " + timeout, null),
              timeout.toNanos(),
              TimeUnit.NANOSECONDS);
    }
    return settle(
        mine -> {
          String refusal = server.publish(target, deadLetterCopy(target, report));
          return refusal == null ? SettleResult.done() : SettleResult.failed(refusal, null);
        });
  }

  private boolean isSilent(String target) {
    MemoryQueue queue = server.find(target);
    return server.isFrozen() || (queue != null && queue.fault() == QueueFault.UNREACHABLE);
  }

  private Envelope deadLetterCopy(String target, DeathReport report) {
    Envelope original = delivery.message.content();
    Map<String, @Nullable Object> headers = new LinkedHashMap<>(original.headers());
    headers.put(DeathReport.HEADER, report.toHeader());
    return QueuedMessage.copyOf(target, original).headers(headers).build();
  }

  @Override
  public boolean isLive() {
    return server.read(() -> delivery.lateReason(System.nanoTime()) == null);
  }

  private CompletionStage<SettleResult> settle(Function<InFlight, SettleResult> how) {
    return server.change(() -> server.settle(delivery, how));
  }
}
