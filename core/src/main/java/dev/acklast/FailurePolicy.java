package dev.acklast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is to be done about a failed run: a pure function of the failure, the count and the
 * configuration. Immutable.
 */
final class FailurePolicy {
  private final ConsumerSettings.FailureRules rules;

  FailurePolicy(ConsumerSettings.FailureRules rules) {
    this.rules = rules;
  }

  /**
   * Decides.
   *
   * @param failure what the handler threw, or its timeout
   * @param attempts failed runs of this key, this one included
   * @param stopping whether the consumer is being stopped: that is never an outcome
   * @param random 0 to 1, spreads the delays
   */
  Disposition decide(Throwable failure, int attempts, boolean stopping, double random) {
    if (stopping && isInterruption(failure)) {
      return new Disposition.Release();
    }
    if (failure instanceof InvalidMessageException) {
      return new Disposition.DeadLetter(DeathReason.INVALID);
    }
    if (matches(failure, rules.nonRetryable())) {
      return new Disposition.DeadLetter(DeathReason.NON_RETRYABLE);
    }
    if (attempts >= rules.maxAttempts()) {
      return new Disposition.DeadLetter(DeathReason.MAX_ATTEMPTS);
    }
    return new Disposition.Retry(rules.backoff().after(attempts, random));
  }

  /** Whether the limit is reached without another run. */
  boolean isExhausted(int attempts) {
    return attempts >= rules.maxAttempts();
  }

  /**
   * The failure or that cause of it which the user declared an outage of something that all
   * messages need; null if there is none.
   */
  @Nullable Throwable outage(Throwable failure) {
    return firstOf(failure, rules.outageOn());
  }

  private static boolean isInterruption(Throwable failure) {
    return failure instanceof HandlerCancelledException
        || matches(failure, List.of(InterruptedException.class));
  }

  private static boolean matches(
      Throwable failure, List<? extends Class<? extends Throwable>> types) {
    return firstOf(failure, types) != null;
  }

  private static @Nullable Throwable firstOf(
      Throwable failure, List<? extends Class<? extends Throwable>> types) {
    int depth = 0;
    for (Throwable cause = failure;
        cause != null && depth < 50;
        cause = cause.getCause(), depth++) {
      for (Class<? extends Throwable> type : types) {
        if (type.isInstance(cause)) {
          return cause;
        }
      }
    }
    return null;
  }
}
