package dev.acklast;

import java.time.Duration;

/**
 * How long handlers have taken lately, and so how many messages fit into one transaction's time:
 * short enough that row locks are short and slow handlers keep their concurrency. Thread-safe; a
 * lost update does no harm.
 */
final class HandlerPace {
  private static final long TARGET_NANOS = Duration.ofMillis(75).toNanos();
  private static final long BUDGET_NANOS = Duration.ofMillis(250).toNanos();
  private static final double WEIGHT = 0.1;
  private static final int LARGEST = 1_000;

  private static final double REGAINED = 0.25;

  private volatile double meanNanos = Double.NaN;

  /** What conflicts between batches have left of the batch size; grows back with every commit. */
  private volatile double mostWithoutConflict = Double.MAX_VALUE;

  void took(long nanos) {
    double mean = meanNanos;
    meanNanos = Double.isNaN(mean) ? nanos : mean + WEIGHT * (nanos - mean);
  }

  /** How many messages a transaction may take on; one until a handler has been measured. */
  int batchLimit(int batchSize) {
    double mean = meanNanos;
    if (Double.isNaN(mean)) {
      return 1;
    }
    double most = Math.min(batchSize, mostWithoutConflict);
    return (int) Math.max(1, Math.min(most, TARGET_NANOS / Math.max(1, mean)));
  }

  /**
   * The effects of a batch of this size met a deadlock or a lock timeout: batches that write the
   * same rows in different orders do, the more so the larger they are, and each meeting costs a
   * second.
   */
  synchronized void conflicted(int size) {
    mostWithoutConflict = Math.max(1, Math.min(mostWithoutConflict, size) / 2);
  }

  /** A batch has committed. */
  synchronized void committed() {
    if (mostWithoutConflict < LARGEST) {
      mostWithoutConflict += REGAINED;
    }
  }

  /** Whether a transaction that began then has taken so long that it should commit what it has. */
  boolean isOverBudget(long beganNanos) {
    return System.nanoTime() - beganNanos > BUDGET_NANOS;
  }
}
