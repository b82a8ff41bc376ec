package dev.acklast;

import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.Transactions.Outcome;
import dev.acklast.store.AttemptLedger;
import dev.acklast.store.DatabaseFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts failed runs in the ledger, and asks the policy what follows from the count. Thread-safe.
 */
final class AttemptCount<T> {
  private static final Logger log = LoggerFactory.getLogger(AttemptCount.class);

  private final ConsumerParts<T> parts;

  AttemptCount(ConsumerParts<T> parts) {
    this.parts = parts;
  }

  /**
   * A count, and what follows from it; without a disposition, the message was applied meanwhile.
   */
  record Counted(int attempts, @Nullable Disposition disposition) {
    private static final Counted APPLIED = new Counted(0, null);

    boolean isApplied() {
      return disposition == null;
    }
  }

  /**
   * Counts a failed run, in a transaction of its own.
   *
   * @return null if the count could not be committed: the run is then as good as not counted, and
   *     the ledger is to be read before the next one
   */
  @Nullable Counted add(InFlight<T> message, Throwable failure) {
    Outcome<Counted> outcome =
        parts.transactions().run(tx -> count(tx.connection(), message, failure));
    if (!(outcome instanceof Outcome.Committed<Counted> committed)) {
      if (message.hint == RedeliveryHint.FIRST) {
        message.hint = RedeliveryHint.RETRIED;
      }
      log.warn(
          "{}: a failed attempt could not be counted: {}",
          message,
          outcome.getClass().getSimpleName());
      return null;
    }
    Counted counted = committed.value();
    if (counted.isApplied()) {
      log.info("{}: a run failed, but another one has applied the message meanwhile", message);
      return counted;
    }
    message.run = null; // the same transaction has taken its mark off
    parts.listeners().attemptFailed(message, counted.attempts(), failure);
    String type = failure.getClass().getName();
    log.warn(
        "{}: attempt {} failed: {}: {}", message, counted.attempts(), type, Deaths.text(failure));
    log.debug("{}: what the handler threw", message, Deaths.shown(failure));
    return counted;
  }

  private Counted count(Connection connection, InFlight<T> message, Throwable failure)
      throws SQLException {
    String key = message.businessKey();
    if (isApplied(connection, key)) {
      return Counted.APPLIED;
    }
    String error = failure.getClass().getName() + ": " + Deaths.text(failure);
    AttemptLedger.Failed failed =
        new AttemptLedger.Failed(key, message.run, message.carriedDeathId(), error);
    int attempts = parts.ledger().recordFailure(connection, failed);
    double random = ThreadLocalRandom.current().nextDouble();
    boolean stopping = parts.stopping().get();
    Disposition disposition = parts.policy().decide(failure, attempts, stopping, random);
    if (disposition instanceof Disposition.Retry retry) {
      parts.ledger().delay(connection, key, retry.delay());
    } else if (disposition instanceof Disposition.DeadLetter death
        && death.reason() != DeathReason.MAX_ATTEMPTS) {
      // The count says the rest; this no count says, and our process may end before the letter.
      parts.ledger().doom(connection, key, death.reason().name());
    }
    return new Counted(attempts, disposition);
  }

  /**
   * Whether another run, of a copy or after our delivery was taken away, has applied the message
   * since ours was rolled back: its count would stay in the ledger for ever. One that still runs
   * takes the count off when it succeeds.
   */
  private boolean isApplied(Connection connection, String key) throws SQLException {
    Savepoint trial = connection.setSavepoint();
    boolean applied = false;
    try {
      applied = parts.inbox().claim(connection, List.of(key), Effects.WAIT_IN_BATCH).isEmpty();
    } catch (SQLException e) {
      if (DatabaseFailure.of(e) != DatabaseFailure.LOCK_TIMEOUT) {
        throw e;
      }
    }
    connection.rollback(trial);
    return applied;
  }
}
