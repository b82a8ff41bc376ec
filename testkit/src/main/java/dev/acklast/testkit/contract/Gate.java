package dev.acklast.testkit.contract;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds up handlers or listeners until the case opens it. Thread-safe. */
final class Gate {
  private final CountDownLatch opened = new CountDownLatch(1);
  private final AtomicInteger arrivals = new AtomicInteger();

  /** Waits here; a case that forgets to open it fails rather than hangs. */
  void pass() {
    arrivals.incrementAndGet();
    try {
      if (!opened.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the gate was never opened");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted at the gate", e);
    }
  }

  int arrivals() {
    return arrivals.get();
  }

  void open() {
    opened.countDown();
  }
}
