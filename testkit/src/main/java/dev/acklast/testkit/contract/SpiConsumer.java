package dev.acklast.testkit.contract;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Facts;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Stands in core's place, for cases that settle as core never would: it keeps what it is given
 * until the case settles it.
 */
final class SpiConsumer implements Sink, AutoCloseable {
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

  private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
  private final Subscription subscription;

  SpiConsumer(Source source, int prefetch, String deadLetterQueue) {
    subscription =
        source.subscribe(
            new SourceSettings("spi", prefetch, deadLetterQueue, LONGEST_DELAY, false), this);
    subscription.start();
  }

  @Override
  public void opened(Facts facts) {
    // Any facts will do.
  }

  @Override
  public void deliver(Delivery delivery) {
    deliveries.add(delivery);
  }

  List<Delivery> deliveries() {
    return List.copyOf(deliveries);
  }

  int size() {
    return deliveries.size();
  }

  /** Nothing more comes; what is here can still be settled. */
  void stopIntake() {
    subscription.stopIntake();
  }

  static String text(Delivery delivery) {
    return new String(delivery.envelope().body(), StandardCharsets.UTF_8);
  }

  /** Waits for the answer, which adapters owe within some five seconds. */
  static SettleResult.Status status(CompletionStage<SettleResult> answer) {
    return answer.toCompletableFuture().orTimeout(15, TimeUnit.SECONDS).join().status();
  }

  @Override
  public void close() {
    subscription.stopIntake();
    subscription.close(Duration.ofSeconds(5));
  }
}
