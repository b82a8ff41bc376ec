package dev.acklast;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches over one lane's transaction: a handler that overruns its time is interrupted and its
 * statement cancelled; one that does not return even so loses its connection, so that it can never
 * commit, and its lane. The lane tells what it is doing, the consumer's tending thread asks whether
 * it takes too long. Thread-safe.
 */
final class RunGuard<T> {
  private static final Logger log = LoggerFactory.getLogger(RunGuard.class);

  /** What a handler gets to react to its interrupt before its connection is taken away. */
  static final Duration GRACE = Duration.ofSeconds(5);

  /** Our own statements wait for locks a second at most; what hangs longer hangs on the network. */
  private static final Duration OWN_STATEMENT = Duration.ofSeconds(60);

  private final Thread lane;
  private final Duration handlerTimeout;

  private List<InFlight<T>> taken = List.of();
  private @Nullable Connection connection;
  private @Nullable InFlight<T> handling;
  private long sinceNanos;
  private @Nullable Exception interruption;
  private boolean abandoned;

  RunGuard(Thread lane, Duration handlerTimeout) {
    this.lane = lane;
    this.handlerTimeout = handlerTimeout;
  }

  /** The lane works on these; all of them are in its hands until it takes the next ones. */
  synchronized void took(List<InFlight<T>> messages) throws LaneAbandonedException {
    checkOwned();
    taken = messages;
  }

  /** A transaction has begun on this connection. */
  synchronized void began(Connection transaction) throws LaneAbandonedException {
    checkOwned();
    connection = transaction;
    sinceNanos = System.nanoTime();
  }

  /** The handler is about to run for this message (the first of a batch handler's). */
  synchronized void handlerStarts(InFlight<T> message) throws LaneAbandonedException {
    checkOwned();
    handling = message;
    sinceNanos = System.nanoTime();
  }

  /**
   * The handler has returned. No interrupt comes after this.
   *
   * @return why it was interrupted, if it was: that is then its failure, whatever it returned or
   *     threw
   */
  synchronized @Nullable Exception handlerEnded() throws LaneAbandonedException {
    Thread.interrupted(); // a flag that the handler left set must not hit the next one
    checkOwned();
    Exception why = interruption;
    interruption = null;
    handling = null;
    sinceNanos = System.nanoTime();
    return why;
  }

  /** The transaction is over. */
  synchronized void ended() {
    connection = null;
  }

  /** Throws if the lane has lost its messages to another one. */
  synchronized void checkOwned() throws LaneAbandonedException {
    if (abandoned) {
      throw new LaneAbandonedException();
    }
  }

  /**
   * Looks whether something takes too long, and does what is due.
   *
   * @return the messages of a lane that has to be given up, or null if all is well
   */
  synchronized @Nullable Abandoned<T> check() {
    if (connection == null || abandoned) {
      return null;
    }
    long elapsed = System.nanoTime() - sinceNanos;
    if (handling == null) {
      if (elapsed > OWN_STATEMENT.toNanos()) {
        log.warn(
            "A statement of Acklast's own hangs since {} s: aborting its connection",
            elapsed / 1_000_000_000);
        abort(connection);
      }
      return null;
    }
    if (interruption == null && elapsed > handlerTimeout.toNanos()) {
      interrupt(new HandlerTimeoutException(handlerTimeout));
    }
    boolean graceOver = elapsed > handlerTimeout.plus(GRACE).toNanos();
    return graceOver ? abandon(handling) : null;
  }

  /** Interrupts the running handler because the consumer stops. */
  synchronized void cancel() {
    if (handling != null && interruption == null) {
      interrupt(new HandlerCancelledException());
    }
  }

  /** Takes the connection away from a handler that did not even react to {@link #cancel}. */
  synchronized @Nullable Abandoned<T> giveUp() {
    return handling != null && !abandoned ? abandon(handling) : null;
  }

  private void interrupt(Exception why) {
    interruption = why;
    lane.interrupt();
    Connection running = connection;
    if (running != null) {
      try {
        running.unwrap(PGConnection.class).cancelQuery();
      } catch (SQLException e) {
        log.debug("Could not cancel the statement of an overdue handler", e);
      }
    }
  }

  private Abandoned<T> abandon(InFlight<T> culprit) {
    Exception why = interruption == null ? new HandlerCancelledException() : interruption;
    Exception shown = new Exception("where the handler of " + culprit + " hangs");
    shown.setStackTrace(lane.getStackTrace());
    log.error(
        "The handler of {} ignores its interrupt; its lane {} is given up",
        culprit,
        lane.getName(),
        shown);
    abandoned = true;
    if (connection != null) {
      abort(connection);
    }
    return new Abandoned<>(List.copyOf(taken), culprit, why);
  }

  private static void abort(Connection doomed) {
    try {
      doomed.abort(Runnable::run);
    } catch (SQLException e) {
      log.warn("Could not abort a connection: {}", Deaths.text(e));
    }
  }

  /**
   * What a lane had in hand when it was given up.
   *
   * @param culprit whose handler hangs
   */
  record Abandoned<T>(List<InFlight<T>> messages, InFlight<T> culprit, Exception why) {}
}
