package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.Backoff;
import dev.acklast.IdempotentConsumer;
import dev.acklast.metrics.AcklastMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Series of metrics, and how retries spread. */
class MetersTest {
  @RegisterExtension private final Stage stage = new Stage();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  @Tag("E08")
  void metersAreBoundedWhateverMessagesHoldAndGoneAfterManyStarts() {
    for (int round = 0; round < 100; round++) {
      try (var pool = stage.database.pool(6);
          IdempotentConsumer consumer =
              stage
                  .consumer()
                  .database(pool)
                  .maxAttempts(1)
                  .listener(new AcklastMetrics(registry))
                  .apply(
                      (order, tx) -> {
                        if (tx.key().endsWith("7")) {
                          throw new IllegalStateException("unlike others: " + tx.key());
                        }
                        Stage.inserting().apply(order, tx);
                      })
                  .build()) {
        consumer.start();
        stage.publishMany("round-" + round, 10);
        stage.awaitEmptySource();
        assertThat(registry.getMeters()).isNotEmpty().hasSizeLessThan(100);
      }
      assertThat(registry.getMeters()).isEmpty();
    }
    assertThat(stage.database.effects()).isEqualTo(900);
  }

  @Test
  @Tag("E07")
  void messagesThatFailTogetherDoNotComeBackTogether() {
    Set<Long> delays = new ConcurrentSkipListSet<>();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    stage.start(
        stage
            .consumer()
            .concurrency(4)
            .backoff(new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), 0.5))
            .listener(
                new dev.acklast.AcklastListener() {
                  @Override
                  public void retried(dev.acklast.MessageInfo message, Duration delay) {
                    delays.add(delay.toMillis());
                  }
                })
            .apply(
                (order, tx) -> {
                  most.accumulateAndGet(running.incrementAndGet(), Math::max);
                  try {
                    if (tx.attempt() == 1) {
                      throw new IllegalStateException("all at once");
                    }
                    Stage.inserting().apply(order, tx);
                  } finally {
                    running.decrementAndGet();
                  }
                }));
    stage.publishMany("storm", 200);
    stage.awaitEffects(200);
    stage.awaitEmptySource();
    assertThat(delays).hasSizeGreaterThan(50).allMatch(millis -> millis >= 500 && millis <= 1000);
    assertThat(most.get()).isLessThanOrEqualTo(4);
    assertThat(stage.database.effects()).isEqualTo(200);
  }
}
