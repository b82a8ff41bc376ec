package dev.acklast.rabbitmq;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Sink;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Lets through what one channel delivers, never more than its share of the prefetch unsettled. The
 * broker counts for each consumer anew, so after a pause it may send more than that: the rest waits
 * here. Holds everything at first. Thread-safe.
 */
final class Intake {
  private final Sink sink;
  private final Workers workers;
  private final int limit;
  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private int unsettled;
  private boolean flowing;
  private boolean shut;

  Intake(Sink sink, Workers workers, int limit) {
    this.sink = sink;
    this.workers = workers;
    this.limit = limit;
  }

  /** Called for each message, in order, by one thread. */
  synchronized void arrived(Delivery delivery) {
    waiting.add(delivery);
    pump();
  }

  /** A delivery that was let through is settled. */
  synchronized void settled() {
    unsettled--;
    if (!waiting.isEmpty()) {
      workers.deliver(this::pump); // not here: this thread is core's, and in the middle of a settle
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
  void flow() {
    synchronized (this) {
      flowing = !shut;
    }
    workers.deliver(this::pump);
  }

  /** Returns what is held to the broker: to be called when it sends no more. */
  synchronized void giveBack() {
    if (!flowing) {
      waiting.forEach(delivery -> ((ChannelAcker) delivery.acker()).giveBackUnseen());
      waiting.clear();
    }
  }

  private synchronized void pump() {
    while (flowing && unsettled < limit && !waiting.isEmpty()) {
      unsettled++;
      sink.deliver(waiting.remove());
    }
  }
}
