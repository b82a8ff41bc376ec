package dev.acklast.rabbitmq;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Sink;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets through what one channel delivers, never more than its share of the prefetch unsettled. The
 * broker counts for each consumer anew, so after a pause it may send more than that: the rest waits
 * here. Holds everything at first.
 *
 * <p>Thread-safe. The lock is held while the sink is called, so that {@link #hold} can wait for
 * that; {@link #settled} takes no lock, as core may hold one of its own.
 */
final class Intake {
  private final Sink sink;
  private final Workers workers;
  private final int limit;
  private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unsettled = new AtomicInteger();
  private boolean flowing;
  private boolean shut;

  Intake(Sink sink, Workers workers, int limit) {
    this.sink = sink;
    this.workers = workers;
    this.limit = limit;
  }

  /** Called for each message, in order, on the callbacks' thread. */
  void arrived(Delivery delivery) {
    waiting.add(delivery);
    pump();
  }

  /** A delivery that was let through is settled. */
  void settled() {
    unsettled.decrementAndGet();
    if (!waiting.isEmpty()) {
      workers.callback(this::pump);
    }
  }

  /** Lets nothing more through: when this returns, nothing is under way either. */
  synchronized void hold() {
    flowing = false;
  }

  /** As {@link #hold}, and for good. */
  synchronized void shut() {
    flowing = false;
    shut = true;
  }

  /** Lets through again, unless shut. */
  synchronized void flow() {
    flowing = !shut;
    workers.callback(this::pump);
  }

  /** Returns what is held to the broker: to be called when it sends no more. */
  synchronized void giveBack() {
    Delivery delivery;
    while (!flowing && (delivery = waiting.poll()) != null) {
      unsettled.incrementAndGet(); // until it is settled, a moment later
      delivery.acker().release();
    }
  }

  private synchronized void pump() {
    while (flowing && unsettled.get() < limit && !waiting.isEmpty()) {
      unsettled.incrementAndGet();
      sink.deliver(waiting.remove());
    }
  }
}
