package dev.acklast.testkit.flaw;

import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What an adapter does at each of its duties. The defaults leave everything to the sound adapter
 * underneath; a flaw overrides what it does wrong. One object serves one subscription.
 */
class Behaviour {
  SourceSettings settings(SourceSettings asked) {
    return asked;
  }

  /** Called after each connecting, with how many there were before. */
  void opened(int before) {}

  /** What is handed over instead of this delivery; null for nothing. */
  @Nullable Delivery delivery(Delivery received) {
    return received;
  }

  Envelope envelope(Envelope received) {
    return received;
  }

  CompletionStage<SettleResult> ack(Delivery delivery) {
    return delivery.acker().ack();
  }

  CompletionStage<SettleResult> retry(Delivery delivery, Duration delay) {
    return delivery.acker().retry(delay);
  }

  CompletionStage<SettleResult> deadLetter(Delivery delivery, DeathReport report) {
    return delivery.acker().deadLetter(report);
  }

  CompletionStage<SettleResult> release(Delivery delivery) {
    return delivery.acker().release();
  }

  boolean isLive(Acker acker) {
    return acker.isLive();
  }

  void pause(Subscription subscription) {
    subscription.pause();
  }

  /** Called before the sound adapter stops its intake. */
  void stopping() {}

  void close(Subscription subscription, Duration deadline) {
    subscription.close(deadline);
  }

  Health health(Subscription subscription) {
    return subscription.health();
  }

  static CompletionStage<SettleResult> done() {
    return CompletableFuture.completedFuture(SettleResult.done());
  }
}
