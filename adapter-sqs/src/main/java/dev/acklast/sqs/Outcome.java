package dev.acklast.sqs;

import dev.acklast.spi.SettleResult;
import org.jspecify.annotations.Nullable;

/**
 * What the service said to one entry of a batch.
 *
 * @param kind which of the three
 * @param reason why it was not done; null if it was
 * @param cause the failed call, if all of it failed
 * @param sentNanos when the call was sent, on {@link System#nanoTime}'s clock
 */
record Outcome(Kind kind, @Nullable String reason, @Nullable Throwable cause, long sentNanos) {

  /** The answers. */
  enum Kind {
    /** It is done. */
    DONE,
    /** It cannot be done with this receipt handle, now or later. */
    REFUSED,
    /** It was not done, or nobody knows. */
    FAILED
  }

  /** What is told to core where it was not done and the message may still be ours. */
  SettleResult failure() {
    return SettleResult.failed(String.valueOf(reason), cause);
  }
}
