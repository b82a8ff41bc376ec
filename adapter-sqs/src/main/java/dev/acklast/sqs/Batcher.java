package dev.acklast.sqs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Collects what is to be sent into batches of ten: a full one goes at once, a part of one after a
 * moment. Thread-safe.
 */
final class Batcher<E> {
  private static final Duration LINGER = Duration.ofMillis(10);

  /** Sends one batch; never throws. */
  interface Sender<E> {
    void send(List<E> batch);
  }

  private final Workers workers;
  private final Executor executor;
  private final Sender<E> sender;
  private List<E> collected = new ArrayList<>();
  private boolean timed;
  private int unanswered;

  Batcher(Workers workers, Executor executor, Sender<E> sender) {
    this.workers = workers;
    this.executor = executor;
    this.sender = sender;
  }

  synchronized void add(E entry) {
    collected.add(entry);
    unanswered++;
    if (collected.size() == Options.LARGEST_BATCH) {
      flush();
    } else if (!timed) {
      timed = workers.later(this::flushPart, LINGER);
      if (!timed) {
        flush();
      }
    }
  }

  private synchronized void flushPart() {
    timed = false;
    if (!collected.isEmpty()) {
      flush();
    }
  }

  private void flush() {
    List<E> batch = collected;
    collected = new ArrayList<>();
    executor.execute(() -> send(batch));
  }

  private void send(List<E> batch) {
    try {
      sender.send(batch);
    } finally {
      synchronized (this) {
        unanswered -= batch.size();
        notifyAll();
      }
    }
  }

  /** Waits until all that was added has been answered, but no longer than until {@code end}. */
  synchronized void awaitQuiet(long end) throws InterruptedException {
    for (long left = end - System.nanoTime();
        unanswered > 0 && left > 0;
        left = end - System.nanoTime()) {
      wait(Math.max(1, left / 1_000_000));
    }
  }
}
