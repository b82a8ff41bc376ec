package dev.acklast.testkit;

import static org.awaitility.Awaitility.await;

import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Facts;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A consumer at the level of the SPI: keeps what it is given until the test settles it. */
final class Inbox implements Sink, AutoCloseable {
  private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
  private final List<Facts> openings = new CopyOnWriteArrayList<>();
  final Subscription subscription;

  private Inbox(Source source, int prefetch) {
    subscription =
        source.subscribe(
            new SourceSettings("test", prefetch, null, Duration.ofMinutes(1), false), this);
  }

  static Inbox open(Source source, int prefetch) {
    Inbox inbox = new Inbox(source, prefetch);
    inbox.subscription.start();
    return inbox;
  }

  @Override
  public void opened(Facts facts) {
    openings.add(facts);
  }

  @Override
  public void deliver(Delivery delivery) {
    deliveries.add(delivery);
  }

  /** The n-th delivery so far, from 0; waits for it. */
  Delivery get(int index) {
    await().atMost(Duration.ofSeconds(5)).until(() -> deliveries.size() > index);
    return deliveries.get(index);
  }

  int size() {
    return deliveries.size();
  }

  int openings() {
    return openings.size();
  }

  static String text(Delivery delivery) {
    return new String(delivery.envelope().body(), StandardCharsets.UTF_8);
  }

  static Envelope message(String text) {
    return Envelope.of("?", text.getBytes(StandardCharsets.UTF_8)).build();
  }

  static DeathReport death(String id) {
    return new DeathReport(id, "INVALID", 0, null, null, "q", "1", "test", null, Instant.EPOCH);
  }

  static SettleResult result(CompletionStage<SettleResult> stage) {
    return stage.toCompletableFuture().orTimeout(5, java.util.concurrent.TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    subscription.stopIntake();
    subscription.close(Duration.ofSeconds(2));
  }
}
