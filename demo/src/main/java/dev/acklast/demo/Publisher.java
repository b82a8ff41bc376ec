package dev.acklast.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The shop's side: publishes events and hears the broker confirm them. What was not confirmed is
 * published again under the same message id, also after the broker's restart. For one thread.
 */
final class Publisher {
  /** Names the sale of events whose body does not, because it is cut off. */
  static final String SALE_HEADER = "sale";

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Broker broker;

  Publisher(Broker broker) {
    this.broker = broker;
  }

  /**
   * Returns when all are confirmed.
   *
   * @param progress is told how many are, again and again
   * @throws IOException if the broker confirms nothing for two minutes
   */
  void publish(List<SaleEvent> events, IntConsumer progress)
      throws IOException, InterruptedException {
    int confirmed = 0;
    long lastGood = System.nanoTime();
    while (confirmed < events.size()) {
      try (Broker.Outlet outlet = broker.open()) {
        while (confirmed < events.size()) {
          int end = Math.min(events.size(), confirmed + outlet.most());
          outlet.publish(events.subList(confirmed, end));
          confirmed = end;
          lastGood = System.nanoTime();
          progress.accept(confirmed);
        }
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) { // each client has its own
        if (System.nanoTime() - lastGood > PATIENCE.toNanos()) {
          throw new IOException("The broker has confirmed nothing for " + PATIENCE, e);
        }
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }
}
