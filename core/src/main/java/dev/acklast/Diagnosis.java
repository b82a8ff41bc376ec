package dev.acklast;

import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.Transactions.Outcome;
import dev.acklast.store.AttemptLedger;
import dev.acklast.store.DatabaseFailure;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out why a transaction did not commit, and whose fault it was: a handler's, a conflict's,
 * the database's, or nobody's. Only what is surely a run's own fault counts against its message.
 * Thread-safe.
 */
final class Diagnosis<T> {
  private static final Logger log = LoggerFactory.getLogger(Diagnosis.class);
  private static final int RERUNS_TOGETHER = 3;
  private static final int TRIES_IN_PLACE = 4;
  private static final int CONFLICT_ROUNDS = 10;

  private final ConsumerParts<T> parts;

  Diagnosis(ConsumerParts<T> parts) {
    this.parts = parts;
  }

  /** What is to be done after a turn that did not commit. */
  Aftermath<T> of(Turn<T> turn) {
    Aftermath<T> aftermath = new Aftermath<>();
    if (turn.outcome instanceof Outcome.Unknown<?> unknown) {
      log.warn(
          "The answer to a commit is lost; each of its {} messages runs again, alone: {}",
          turn.batch.size(),
          Deaths.text(unknown.cause()));
      parts.gate().isOutage(unknown.cause());
      turn.batch.forEach(message -> message.alone = true);
      aftermath.putBack.addAll(turn.batch);
    } else if (turn.outcome instanceof Outcome.NotBegun<?> notBegun) {
      if (parts.gate().isOutage(notBegun.cause())) {
        aftermath.putBack.addAll(turn.batch);
      } else {
        turn.batch.forEach(message -> later(message, aftermath)); // a crowded pool, say
      }
    } else if (turn.outcome instanceof Outcome.RolledBack<?> rolledBack) {
      rolledBack(turn, rolledBack.cause(), aftermath);
    }
    return aftermath;
  }

  /** What is to be done with suspects that could not be judged: nothing was run, nothing counts. */
  Aftermath<T> ofJudgement(List<InFlight<T>> suspects, Outcome<?> outcome) {
    Aftermath<T> aftermath = new Aftermath<>();
    Throwable cause = causeOf(outcome);
    DatabaseFailure kind = DatabaseFailure.of(cause);
    boolean keyed = suspects.stream().allMatch(InFlight::isRead);
    if (kind == DatabaseFailure.LOCK_TIMEOUT && keyed && suspects.size() > 1) {
      aftermath.putBack.addAll(freeOf(suspects, aftermath));
    } else if (kind != DatabaseFailure.LOCK_TIMEOUT
        && kind != DatabaseFailure.CONFLICT
        && parts.gate().isOutage(cause)) {
      aftermath.putBack.addAll(suspects);
    } else {
      suspects.forEach(message -> later(message, aftermath));
    }
    return aftermath;
  }

  private static Throwable causeOf(Outcome<?> outcome) {
    if (outcome instanceof Outcome.RolledBack<?> rolledBack) {
      return rolledBack.cause();
    }
    if (outcome instanceof Outcome.NotBegun<?> notBegun) {
      return notBegun.cause();
    }
    return outcome instanceof Outcome.Unknown<?> unknown
        ? unknown.cause()
        : new IllegalStateException("a committed transaction has no cause");
  }

  private void rolledBack(Turn<T> turn, Throwable cause, Aftermath<T> aftermath) {
    InFlight<T> culprit = turn.culprit;
    Throwable failure = turn.handlerFailure;
    if (turn.verdict != null) {
      verdict(turn.lone(), turn.verdict, aftermath);
    } else if (!turn.overtaken.isEmpty()) {
      turn.overtaken.forEach(message -> overtaken(message, aftermath));
      aftermath.again(turn.without(turn.overtaken));
    } else if (culprit != null && failure != null) {
      handlerFailed(turn, culprit, failure, aftermath);
    } else {
      ownStatementFailed(turn, cause, aftermath);
    }
  }

  /** The ledger knows more of a retried message than its delivery did. */
  private void verdict(InFlight<T> message, AttemptLedger.Entry entry, Aftermath<T> aftermath) {
    if (entry.doomed() || parts.policy().isExhausted(entry.attempts())) {
      message.doom = InFlight.Doom.of(entry, entry.attempts());
      aftermath.doomed.add(message);
    } else {
      message.hint = RedeliveryHint.SUSPECT;
      aftermath.putBack.add(message);
    }
  }

  /** Another process has taken this run for dead and goes on with the message: its turn now. */
  private void overtaken(InFlight<T> message, Aftermath<T> aftermath) {
    log.info("{}: another process has overtaken this run, which is rolled back", message);
    message.run = null;
    message.hint = RedeliveryHint.SUSPECT;
    later(message, aftermath);
  }

  private void handlerFailed(
      Turn<T> turn, InFlight<T> culprit, Throwable failure, Aftermath<T> aftermath) {
    DatabaseFailure kind = DatabaseFailure.of(failure);
    Throwable outage = parts.policy().outage(failure);
    boolean ownFault = true;
    if (turn.connectionDead || kind == DatabaseFailure.OUTAGE) {
      if (parts.gate().isOutage(failure)) {
        aftermath.putBack.addAll(turn.batch);
        return;
      }
      ownFault = !turn.connectionDead || ++culprit.deadConnections > 1;
    } else if (outage != null) {
      parts.gate().declare(outage);
      aftermath.putBack.addAll(turn.batch);
      return;
    } else if (kind == DatabaseFailure.CONFLICT || kind == DatabaseFailure.LOCK_TIMEOUT) {
      conflict(turn, failure, aftermath);
      return;
    }
    if (parts.settings().effect().all() != null && !turn.isLone() && !turn.blamed) {
      aftermath.alone(turn.batch); // a set-based handler does not tell whose fault it was
      return;
    }
    if (ownFault) {
      aftermath.failed.put(culprit, failure);
    } else {
      suspectNow(culprit);
      aftermath.putBack.add(culprit);
    }
    rerun(turn.without(List.of(culprit)), aftermath);
  }

  /** Neighbours of a failed run go again together, but not for ever. */
  private void rerun(List<InFlight<T>> rest, Aftermath<T> aftermath) {
    boolean often = false;
    for (InFlight<T> message : rest) {
      parts.listeners().rerun(message);
      often |= ++message.reruns > RERUNS_TOGETHER;
    }
    if (often) {
      aftermath.alone(rest);
    } else {
      aftermath.again(rest);
    }
  }

  private void ownStatementFailed(Turn<T> turn, Throwable cause, Aftermath<T> aftermath) {
    DatabaseFailure kind = DatabaseFailure.of(cause);
    if (kind == DatabaseFailure.LOCK_TIMEOUT) {
      busy(turn, aftermath);
    } else if (kind == DatabaseFailure.CONFLICT) {
      conflict(turn, null, aftermath);
    } else if (turn.step == Turn.Step.COMMIT && kind == DatabaseFailure.OTHER) {
      commitRefused(turn, cause, aftermath);
    } else if (parts.gate().isOutage(cause)) {
      aftermath.putBack.addAll(turn.batch);
    } else {
      for (InFlight<T> message : turn.batch) {
        message.alone = true;
        if (turn.isLone() && ++message.deadConnections > 1) {
          aftermath.failed.put(message, cause);
        } else {
          suspectNow(message);
          aftermath.putBack.add(message);
        }
      }
    }
  }

  /**
   * A deferred constraint, say: it names no message, so each runs alone and the lone run counts.
   */
  private void commitRefused(Turn<T> turn, Throwable cause, Aftermath<T> aftermath) {
    if (turn.isLone()) {
      aftermath.failed.put(turn.lone(), cause);
    } else {
      aftermath.alone(turn.batch);
    }
  }

  private static void suspectNow(InFlight<?> message) {
    message.alone = true;
    message.hint = RedeliveryHint.SUSPECT;
  }

  /** Somebody's open transaction holds a key: it leaves the batch, and stalls nobody else. */
  private void busy(Turn<T> turn, Aftermath<T> aftermath) {
    if (turn.isLone()) {
      later(turn.lone(), aftermath);
      return;
    }
    List<InFlight<T>> free = freeOf(turn.batch, aftermath);
    if (free.size() == turn.batch.size()) {
      aftermath.alone(free); // the holder has let go, or there was none of a key of ours
    } else {
      aftermath.again(free);
    }
  }

  /** Parks those whose keys are held elsewhere; returns the others. */
  List<InFlight<T>> freeOf(List<InFlight<T>> messages, Aftermath<T> aftermath) {
    Set<String> busy = busyKeys(messages);
    List<InFlight<T>> free =
        messages.stream().filter(message -> !busy.contains(message.businessKey())).toList();
    messages.stream()
        .filter(message -> busy.contains(message.businessKey()))
        .forEach(message -> later(message, aftermath));
    return free;
  }

  private Set<String> busyKeys(List<InFlight<T>> messages) {
    List<String> keys = messages.stream().map(InFlight::businessKey).toList();
    Found found = new Found();
    parts
        .transactions()
        .run(
            transaction -> {
              found.keys = parts.inbox().busy(transaction.connection(), keys);
              throw new Turn.Stopped();
            });
    return found.keys;
  }

  private static final class Found {
    private Set<String> keys = Set.of();
  }

  /**
   * Serialization failure, deadlock or lock timeout: the batch halves; a lone message is tried
   * again, uncounted. If its effect keeps meeting it, that is at last an attempt; our own
   * statements never are.
   */
  private void conflict(Turn<T> turn, @Nullable Throwable effectFailure, Aftermath<T> aftermath) {
    if (!turn.isLone()) {
      parts.effects().pace().conflicted(turn.batch.size());
      int half = turn.batch.size() / 2;
      aftermath.again(turn.batch.subList(0, half));
      aftermath.again(turn.batch.subList(half, turn.batch.size()));
      return;
    }
    InFlight<T> message = turn.lone();
    message.conflicts++;
    if (effectFailure == null && message.conflicts % TRIES_IN_PLACE != 0) {
      aftermath.again(turn.batch);
    } else if (effectFailure != null && message.conflicts > CONFLICT_ROUNDS) {
      message.conflicts = 0;
      aftermath.failed.put(message, effectFailure);
    } else {
      later(message, aftermath); // those that met it at once would only meet again
    }
  }

  /** Parks a message uncounted, for longer each time. */
  static <T> void later(InFlight<T> message, Aftermath<T> aftermath) {
    long full = Math.min(10_000, 100L << Math.min(message.parks++, 10));
    long millis = full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1);
    aftermath.later.put(message, Duration.ofMillis(millis));
  }
}
