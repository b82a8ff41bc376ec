package dev.acklast;

import java.util.Objects;

/**
 * Thrown by a {@link BatchHandler} that knows which message of the batch is to blame: that one's
 * run has failed with the cause, and the others run again together. Any other exception from a
 * batch handler makes each message run alone.
 */
public final class FailedMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String key;

  /**
   * Blames one message.
   *
   * @param message one of the batch
   * @param cause its failure, which is judged as if its handler had thrown it
   */
  public FailedMessageException(Message<?> message, Throwable cause) {
    super("one message of the batch failed", Objects.requireNonNull(cause, "cause"), false, false);
    this.key = message.key();
  }

  /** The business key of the message to blame; keys are distinct within a batch. */
  public String key() {
    return key;
  }
}
