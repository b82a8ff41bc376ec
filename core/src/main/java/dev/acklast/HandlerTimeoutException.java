package dev.acklast;

import java.time.Duration;

/** A run of the handler took longer than {@code handler-timeout}; counts as a failed attempt. */
public final class HandlerTimeoutException extends Exception {
  private static final long serialVersionUID = 1L;

  HandlerTimeoutException(Duration timeout) {
    super("the handler did not return within " + timeout);
  }
}
