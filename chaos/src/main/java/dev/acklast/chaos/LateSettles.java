package dev.acklast.chaos;

import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Source;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Breaks a source: an ack that came too late is made up for by acking the next delivery, as an
 * adapter does that carries delivery tags or offsets over to another connection. Thread-safe.
 */
final class LateSettles {
  private final AtomicInteger owed = new AtomicInteger();

  private LateSettles() {}

  static Source in(Source sound) {
    return new TappedSource(sound, new LateSettles()::tap);
  }

  private Delivery tap(Delivery delivery) {
    if (owed.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
      delivery.acker().ack();
    }
    return new Delivery(delivery.envelope(), new OwingAcker(delivery.acker(), owed));
  }

  private record OwingAcker(Acker sound, AtomicInteger owed) implements Acker {
    @Override
    public CompletionStage<SettleResult> ack() {
      return sound
          .ack()
          .thenApply(
              result -> {
                if (result.status() == SettleResult.Status.LATE) {
                  owed.incrementAndGet();
                }
                return result;
              });
    }

    @Override
    public CompletionStage<SettleResult> retry(Duration delay) {
      return sound.retry(delay);
    }

    @Override
    public CompletionStage<SettleResult> deadLetter(DeathReport report) {
      return sound.deadLetter(report);
    }

    @Override
    public CompletionStage<SettleResult> release() {
      return sound.release();
    }

    @Override
    public boolean isLive() {
      return sound.isLive();
    }
  }
}
