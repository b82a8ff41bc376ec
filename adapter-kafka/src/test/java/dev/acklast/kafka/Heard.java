package dev.acklast.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Sink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Stands where core stands: keeps what the adapter hands over, and does what a test says. */
final class Heard implements Sink {
  private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
  private final List<Facts> opened = new CopyOnWriteArrayList<>();
  private volatile Consumer<Delivery> reaction = delivery -> {};
  private volatile Predicate<Delivery> started = delivery -> true;

  Heard reacting(Consumer<Delivery> does) {
    reaction = does;
    return this;
  }

  static Heard acking() {
    return new Heard().reacting(delivery -> delivery.acker().ack());
  }

  /** All others are given back when the adapter asks for it. */
  Heard withStarted(Predicate<Delivery> which) {
    started = which;
    return this;
  }

  @Override
  public void opened(Facts facts) {
    opened.add(facts);
  }

  @Override
  public void deliver(Delivery delivery) {
    deliveries.add(delivery);
    reaction.accept(delivery);
  }

  @Override
  public void reclaim(Predicate<? super Envelope> which) {
    deliveries.stream()
        .filter(delivery -> which.test(delivery.envelope()) && !started.test(delivery))
        .forEach(delivery -> delivery.acker().release());
  }

  List<Delivery> all() {
    return List.copyOf(deliveries);
  }

  List<String> bodies() {
    return deliveries.stream().map(Heard::text).toList();
  }

  Delivery of(String body) {
    return deliveries.stream().filter(d -> text(d).equals(body)).findFirst().orElseThrow();
  }

  Facts facts() {
    return opened.get(opened.size() - 1);
  }

  Heard awaitCount(int count) {
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(deliveries).hasSizeGreaterThanOrEqualTo(count));
    return this;
  }

  static String text(Delivery delivery) {
    return new String(delivery.envelope().body(), StandardCharsets.UTF_8);
  }
}
