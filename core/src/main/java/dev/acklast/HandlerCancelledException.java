package dev.acklast;

/** A run was cut short because the consumer is stopping. Never counted. */
final class HandlerCancelledException extends Exception {
  private static final long serialVersionUID = 1L;

  HandlerCancelledException() {
    super("the consumer is stopping");
  }
}
