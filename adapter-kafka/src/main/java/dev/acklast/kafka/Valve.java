package dev.acklast.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** What core has said about the intake. Thread-safe. */
final class Valve {
  private final ReentrantLock handing = new ReentrantLock();
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile boolean paused;
  private volatile boolean stopped;
  private volatile long closeBefore;

  void pause(boolean on) {
    paused = on;
  }

  /** When it returns, nothing is being handed over, nor ever will be. */
  void stop() {
    handing.lock();
    try {
      stopped = true;
    } finally {
      handing.unlock();
    }
  }

  boolean isShut() {
    return paused || stopped;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Hands over, unless that is not wanted now. */
  void handOver(Runnable round) {
    handing.lock();
    try {
      if (!isShut()) {
        round.run();
      }
    } finally {
      handing.unlock();
    }
  }

  void close(Duration limit) {
    stop();
    closeBefore = System.nanoTime() + limit.toNanos();
    closing.countDown();
  }

  boolean isClosing() {
    return closing.getCount() == 0;
  }

  /** How long closing may still take. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, closeBefore - System.nanoTime()));
  }

  /** Waits, but not past the order to close. */
  void rest(Duration time) throws InterruptedException {
    boolean unused = closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
