package dev.acklast;

import java.time.Duration;
import java.util.Objects;

/**
 * How long a failed message waits for its next attempt: {@code initial} after the first failure,
 * times {@code multiplier} after each further one, at most {@code max}; each delay is then drawn
 * evenly from {@code (1 - jitter) × delay … delay}, so that messages that failed together do not
 * come back together. Immutable.
 *
 * @param initial positive
 * @param multiplier 1 to 100
 * @param max at least {@code initial}, at most 12 hours
 * @param jitter 0 (none) to 1
 */
public record Backoff(Duration initial, double multiplier, Duration max, double jitter) {
  private static final Duration LONGEST = Duration.ofHours(12);

  public Backoff {
    Objects.requireNonNull(initial, "initial");
    Objects.requireNonNull(max, "max");
    check(
        initial.compareTo(Duration.ZERO) > 0, "backoff initial-interval must be positive", initial);
    check(multiplier >= 1 && multiplier <= 100, "backoff multiplier must be 1 to 100", multiplier);
    check(
        max.compareTo(initial) >= 0,
        "backoff max-interval must not be below initial-interval",
        max);
    check(max.compareTo(LONGEST) <= 0, "backoff max-interval must be at most 12h", max);
    check(jitter >= 0 && jitter <= 1, "backoff jitter must be 0 to 1", jitter);
  }

  /** 1 s, doubling to 5 min, with a jitter of 0.2. */
  public static Backoff standard() {
    return new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.2);
  }

  /** The same delay each time, without jitter. */
  public static Backoff fixed(Duration delay) {
    return new Backoff(delay, 1, delay, 0);
  }

  /** Doubles from {@code initial} to {@code max}, with a jitter of 0.2. */
  public static Backoff exponential(Duration initial, Duration max) {
    return new Backoff(initial, 2, max, 0.2);
  }

  /**
   * The delay after the given number of failures.
   *
   * @param failures at least 1
   * @param random from 0 (the shortest that the jitter allows) to 1 (no jitter)
   */
  public Duration after(int failures, double random) {
    double full =
        Math.min(
            initial.toMillis() * Math.pow(multiplier, Math.max(0, failures - 1)),
            (double) max.toMillis());
    return Duration.ofMillis(Math.max(1, Math.round(full * (1 - jitter + jitter * random))));
  }

  private static void check(boolean right, String rule, Object value) {
    if (!right) {
      throw new IllegalArgumentException(rule + ", not " + value);
    }
  }
}
