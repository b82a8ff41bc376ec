package dev.acklast.kafka;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How much of all partitions is in memory, and how much of that is handed over. Thread-safe. */
final class Held {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final int prefetch;
  private final long mostBytes;
  private int unsettled;
  private long bytes;
  private long changes;

  Held(int prefetch, long mostBytes) {
    this.prefetch = prefetch;
    this.mostBytes = mostBytes;
  }

  void add(long more) {
    change(0, more);
  }

  /** A record leaves memory. */
  void remove(long less) {
    change(0, -less);
  }

  /** Takes one of the places for what is handed over; false if there is none. */
  boolean takePlace() {
    lock.lock();
    try {
      boolean free = unsettled < prefetch;
      unsettled += free ? 1 : 0;
      return free;
    } finally {
      lock.unlock();
    }
  }

  void freePlace() {
    change(-1, 0);
  }

  private void change(int deliveries, long ofBytes) {
    lock.lock();
    try {
      unsettled += deliveries;
      bytes += ofBytes;
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isFull() {
    lock.lock();
    try {
      return bytes >= mostBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Counts every change, for {@link #awaitChange}. */
  long changes() {
    lock.lock();
    try {
      return changes;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there was another change than those counted, but no longer than this. */
  void awaitChange(long counted, Duration limit) throws InterruptedException {
    long nanos = limit.toNanos();
    lock.lock();
    try {
      while (changes == counted && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }
}
