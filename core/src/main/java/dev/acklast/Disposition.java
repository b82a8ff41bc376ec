package dev.acklast;

import java.time.Duration;

/** What is to be done with a message that failed. A closed set. */
sealed interface Disposition {
  /** Try it again after the delay. */
  record Retry(Duration delay) implements Disposition {}

  /** Give up. */
  record DeadLetter(DeathReason reason) implements Disposition {}

  /** Give it back uncounted: what failed was not the message. */
  record Release() implements Disposition {}
}
