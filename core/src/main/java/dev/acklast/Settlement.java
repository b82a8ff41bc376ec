package dev.acklast;

import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the broker what became of a message, once that is durable: the only place that settles
 * deliveries. A settle that fails is tried again without another run; one that comes too late is
 * noted, and the broker delivers the message again. Thread-safe.
 */
final class Settlement<T> {
  private static final Logger log = LoggerFactory.getLogger(Settlement.class);
  private static final Duration NEXT_TRY = Duration.ofSeconds(1);

  private final Intake<T> intake;
  private final Listeners listeners;
  private final Burial<T> burial;
  private final int parkLimit;
  private final boolean parksRetries;

  Settlement(ConsumerParts<T> parts) {
    this.intake = parts.intake();
    this.listeners = parts.listeners();
    this.burial = parts.burial();
    this.parkLimit = parts.settings().flow().prefetch() / 2;
    this.parksRetries = parts.settings().parksRetries();
  }

  void duplicate(InFlight<T> message) {
    listeners.duplicate(message);
    ack(message);
  }

  void ack(InFlight<T> message) {
    message.ackOnly = true;
    intake.finished(message);
    message
        .acker()
        .ack()
        .whenComplete((result, bug) -> settled(message, result, NEXT_TRY, () -> {}));
  }

  void retry(InFlight<T> message, Duration delay) {
    message.hint = RedeliveryHint.RETRIED;
    if (parksRetries) {
      listeners.retried(message, delay);
      intake.park(message, delay);
      return;
    }
    intake.finished(message);
    message
        .acker()
        .retry(delay)
        .whenComplete(
            (result, bug) ->
                settled(message, result, delay, () -> listeners.retried(message, delay)));
  }

  /**
   * Uncounted, and only a moment; if too many are parked already, the broker keeps it meanwhile.
   */
  void park(InFlight<T> message, Duration delay) {
    boolean full = intake.heldBack() >= parkLimit;
    if (full && !parksRetries && message.run == null) {
      retry(message, delay);
    } else {
      intake.park(message, delay);
    }
  }

  /** Dead letter confirmed and on record first, then the ack. */
  void bury(InFlight<T> message) {
    InFlight.Doom doom = message.doom;
    Duration pause = burial.pause();
    if (doom == null || !pause.isZero()) {
      intake.park(message, pause.plus(NEXT_TRY));
      return;
    }
    Burial.End end =
        message.isRead() ? burial.bury(message, doom) : burial.buryUnkeyed(message, doom);
    switch (end) {
      case BURIED -> {
        listeners.deadLettered(message, doom.reason());
        Throwable cause = doom.cause();
        log.warn(
            "{}: dead-lettered: {} after {} attempts{}",
            message,
            doom.reason(),
            doom.attempts(),
            cause == null ? "" : ": " + Deaths.text(cause));
        ack(message);
      }
      case APPLIED -> duplicate(message);
      case LATE -> late(message, "the delivery was lost before its dead letter was confirmed");
      default -> intake.park(message, burial.pause().plus(NEXT_TRY));
    }
  }

  /** Gives a message back that no run has begun for. */
  void release(InFlight<T> message) {
    intake.finished(message);
    message
        .acker()
        .release()
        .whenComplete(
            (result, bug) -> settled(message, result, NEXT_TRY, () -> listeners.released(message)));
  }

  private void settled(
      InFlight<T> message, @Nullable SettleResult result, Duration nextTry, Runnable done) {
    if (result != null && result.isDone()) {
      done.run();
      listeners.settled(message);
      intake.settled(message);
    } else if (result != null && result.status() == SettleResult.Status.LATE) {
      late(message, String.valueOf(result.reason()));
    } else {
      listeners.settleFailed(
          message, result == null ? "the adapter failed" : String.valueOf(result.reason()));
      intake.park(message, nextTry);
    }
  }

  /** Not ours any more: the broker delivers it again, and what was done is found then. */
  void late(InFlight<T> message, String reason) {
    log.debug("{}: not settled: {}", message, reason);
    listeners.settleFailed(message, reason);
    intake.settled(message);
  }

  void putBack(List<InFlight<T>> messages) {
    for (int i = messages.size() - 1; i >= 0; i--) {
      intake.putBack(messages.get(i));
    }
  }
}
