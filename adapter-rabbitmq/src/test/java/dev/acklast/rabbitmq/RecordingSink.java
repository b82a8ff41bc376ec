package dev.acklast.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Facts;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.Sink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Stands where core stands: keeps what the adapter hands over, and does what a test says. */
final class RecordingSink implements Sink {
  private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
  private final List<Facts> opened = new CopyOnWriteArrayList<>();
  private volatile Consumer<Delivery> reaction = delivery -> {};
  private volatile @Nullable String refusal;

  /** Runs for each delivery, as it arrives. */
  RecordingSink reacting(Consumer<Delivery> does) {
    reaction = does;
    return this;
  }

  RecordingSink acking() {
    return reacting(delivery -> delivery.acker().ack());
  }

  void refuse(@Nullable String reason) {
    refusal = reason;
  }

  @Override
  public void opened(Facts facts) {
    String reason = refusal;
    if (reason != null) {
      throw new RefusedException(reason);
    }
    opened.add(facts);
  }

  @Override
  public void deliver(Delivery delivery) {
    deliveries.add(delivery);
    reaction.accept(delivery);
  }

  List<Delivery> all() {
    return List.copyOf(deliveries);
  }

  List<String> bodies() {
    return deliveries.stream().map(RecordingSink::text).toList();
  }

  List<Facts> facts() {
    return opened;
  }

  Facts lastFacts() {
    return opened.get(opened.size() - 1);
  }

  /** Waits for the delivery with this number, from 0 on. */
  Delivery delivery(int number) {
    awaitCount(number + 1);
    return deliveries.get(number);
  }

  void awaitCount(int count) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(deliveries).hasSizeGreaterThanOrEqualTo(count));
  }

  static String text(Delivery delivery) {
    return new String(delivery.envelope().body(), StandardCharsets.UTF_8);
  }
}
