package dev.acklast.spi;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long an adapter waits before its next try to connect or to ask: 200 ms, doubling to 30 s,
 * with jitter. What held for five seconds counts as mended, so that something that breaks as soon
 * as it is up is slowed down too. For one thread.
 */
public final class Pacing {
  private static final long FIRST = 200;
  private static final long LONGEST = 30_000;
  private static final long MENDED_AFTER = Duration.ofSeconds(5).toNanos();

  private long delay = FIRST;
  private long upSince = Long.MIN_VALUE;

  /** Starts at the shortest wait. */
  public Pacing() {}

  /** It works now. */
  public void up() {
    upSince = System.nanoTime();
  }

  /** It failed: wait as long as this. */
  public Duration next() {
    if (upSince != Long.MIN_VALUE && System.nanoTime() - upSince > MENDED_AFTER) {
      delay = FIRST;
    }
    upSince = Long.MIN_VALUE;
    long now = delay;
    delay = Math.min(LONGEST, delay * 2);
    return Duration.ofMillis(Math.round(now * ThreadLocalRandom.current().nextDouble(0.8, 1.0)));
  }
}
