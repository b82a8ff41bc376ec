package dev.acklast.it;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds up handlers or listeners until the test opens it. Thread-safe. */
final class Gate {
  private final CountDownLatch opened = new CountDownLatch(1);
  private final AtomicInteger arrivals = new AtomicInteger();

  /** Waits here; a test that forgets to open it fails rather than hangs. */
  void pass() throws InterruptedException {
    arrivals.incrementAndGet();
    if (!opened.await(2, TimeUnit.MINUTES)) {
      throw new IllegalStateException("the gate was never opened");
    }
  }

  /** As {@link #pass}, whoever interrupts. */
  void passStubbornly() {
    arrivals.incrementAndGet();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (System.nanoTime() < end) {
      try {
        if (opened.await(1, TimeUnit.SECONDS)) {
          return;
        }
      } catch (InterruptedException e) {
        // on purpose: some handlers are like that
      }
    }
  }

  int arrivals() {
    return arrivals.get();
  }

  void open() {
    opened.countDown();
  }
}
