package dev.acklast.servers;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waiting for what gives no notice. */
final class Pause {
  private Pause() {}

  /** Sleeps between two looks at a condition. */
  static void ofMillis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a server", e);
    }
  }

  /**
   * Looks at a condition every 50 ms.
   *
   * @return whether it held before the limit
   */
  static boolean until(BooleanSupplier condition, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      ofMillis(50);
    }
    return true;
  }
}
