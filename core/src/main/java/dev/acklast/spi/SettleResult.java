package dev.acklast.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of an attempt to settle a delivery. Never thrown: a failed settle is not a failed
 * handler.
 *
 * @param status which of the three it is
 * @param reason for {@link Status#LATE} and {@link Status#FAILED}: why, loggable, free of payload
 *     and credentials
 * @param cause the client's exception, if there was one
 */
public record SettleResult(Status status, @Nullable String reason, @Nullable Throwable cause) {

  /** The outcomes of a settle. */
  public enum Status {
    /**
     * The broker has it, or (for an ack that brokers do not answer) it was sent on a live channel.
     */
    DONE,
    /**
     * Nothing was sent, as this delivery is no longer ours or was settled before: its channel,
     * receipt handle or assignment is gone. The broker delivers it again, or has done so.
     */
    LATE,
    /** It could not be done, and the delivery is still unsettled and ours: core may try again. */
    FAILED
  }

  private static final SettleResult DONE = new SettleResult(Status.DONE, null, null);

  public SettleResult {
    Objects.requireNonNull(status, "status");
  }

  /** It was done. */
  public static SettleResult done() {
    return DONE;
  }

  /** The delivery is no longer ours. */
  public static SettleResult late(String reason) {
    return new SettleResult(Status.LATE, reason, null);
  }

  /** It could not be done; the delivery is still ours. */
  public static SettleResult failed(String reason, @Nullable Throwable cause) {
    return new SettleResult(Status.FAILED, reason, cause);
  }

  /** Whether it was done. */
  public boolean isDone() {
    return status == Status.DONE;
  }
}
