package dev.acklast;

import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.Transactions.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message's whole way, top to bottom: take → read → judge suspects → [ claim → effect → commit ]
 * → settle. The order is fixed here and nowhere else. Thread-safe: each lane calls {@link #turn} in
 * a loop.
 */
final class MessagePipeline<T> {
  private static final Logger log = LoggerFactory.getLogger(MessagePipeline.class);
  private static final Duration NEXT_TRY = Duration.ofSeconds(1);
  private static final Duration LONE_TURN = Duration.ofMillis(50);

  private final ConsumerParts<T> parts;
  private final Intake<T> intake;
  private final Listeners listeners;
  private final Diagnosis<T> diagnosis;
  private final Settlement<T> settle;
  private final AttemptCount<T> attemptCount;
  private final boolean ordered;

  /** In ordered mode messages enter their lines in the order in which they were taken. */
  private final ReentrantLock admission = new ReentrantLock();

  /** One message at a time runs alone under a mark, so that a death can be blamed on it. */
  private final AtomicReference<@Nullable InFlight<T>> loneSuspect = new AtomicReference<>();

  MessagePipeline(ConsumerParts<T> parts, Settlement<T> settlement) {
    this.parts = parts;
    this.intake = parts.intake();
    this.listeners = parts.listeners();
    this.diagnosis = new Diagnosis<>(parts);
    this.attemptCount = new AttemptCount<>(parts);
    this.ordered = parts.settings().ordered();
    this.settle = settlement;
  }

  // ---- take

  /**
   * Takes a lane's share of what waits, and brings each message of it to an outcome.
   *
   * @return false when there will be no more
   */
  boolean turn(RunGuard<T> guard) throws LaneAbandonedException {
    List<InFlight<T>> taken;
    List<InFlight<T>> ready = new ArrayList<>();
    if (ordered) {
      admission.lock();
    }
    try {
      taken = intake.take(parts.effects().batchLimit());
      if (taken.isEmpty()) {
        return false;
      }
      guard.took(taken);
      safely(taken, () -> read(taken, ready, guard));
    } catch (InterruptedException e) {
      return true; // a stray interrupt; whoever wants the lane to end closes the intake
    } finally {
      if (ordered) {
        admission.unlock();
      }
    }
    safely(taken, () -> process(ready, guard));
    intake.laneIsFree();
    return true;
  }

  /** Goes on with what a lane had in hand that was given up because of a hanging handler. */
  void takeOver(RunGuard.Abandoned<T> abandoned, RunGuard<T> guard) throws LaneAbandonedException {
    List<InFlight<T>> held = abandoned.messages().stream().filter(m -> m.inHand).toList();
    loneSuspect.compareAndSet(abandoned.culprit(), null);
    guard.took(held);
    safely(
        held,
        () -> {
          for (InFlight<T> message : held) {
            if (message == abandoned.culprit()) {
              attemptFailed(message, abandoned.why());
            } else {
              message.alone = true;
              intake.putBack(message);
            }
          }
        });
    intake.laneIsFree();
  }

  /** Whatever goes wrong in our own code: no message is lost in it. */
  private void safely(List<InFlight<T>> taken, Step step) throws LaneAbandonedException {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      log.error("A fault in Acklast itself; its messages are tried again, alone", e);
      if (e instanceof VirtualMachineError && !(e instanceof StackOverflowError)) {
        parts.gate().shutForGood("the JVM is not sound any more: " + e);
      }
      for (InFlight<T> message : taken) {
        if (message.inHand) {
          message.alone = true;
          message.hint = RedeliveryHint.SUSPECT;
          intake.park(message, NEXT_TRY);
        }
      }
    }
  }

  // ---- read: decode, filter, key

  private void read(List<InFlight<T>> taken, List<InFlight<T>> ready, RunGuard<T> guard)
      throws LaneAbandonedException {
    List<InFlight<T>> readable = markDecoding(taken, guard);
    for (InFlight<T> message : readable) {
      guard.checkOwned();
      readOne(message);
      if (!message.needsItsKey() || intake.reserve(message)) {
        ready.add(message);
      }
    }
    // Those that will run have their marks taken off as they are judged; all others, before the
    // broker hears of them: nobody would come by again to do it.
    List<InFlight<T>> marked =
        readable.stream()
            .filter(m -> m.decodingMarked && (m.isDecided() || !ready.contains(m)))
            .toList();
    if (!endDecoding(marked)) {
      for (InFlight<T> message : marked) {
        if (ready.remove(message)) {
          intake.park(message, NEXT_TRY);
        }
      }
    }
  }

  /** Reads one message, and decides on one that is invalid, expired, filtered out or lost. */
  private void readOne(InFlight<T> message) {
    message.lost |= !message.acker().isLive();
    if (message.isRead() || message.isDecided()) {
      return;
    }
    try {
      switch (parts.reader().read(message)) {
        case READY -> {}
        case EXPIRED -> message.doom = new InFlight.Doom(DeathReason.EXPIRED, 0, null);
        case LAST_DELIVERY -> message.doom = new InFlight.Doom(DeathReason.DELIVERY_LIMIT, 0, null);
        default -> {
          listeners.skipped(message);
          message.ackOnly = true;
        }
      }
    } catch (InvalidMessageException e) {
      message.doom = new InFlight.Doom(DeathReason.INVALID, 0, e);
    }
  }

  /** Suspects are decoded under a mark by their body's digest: decoding may be what kills. */
  private List<InFlight<T>> markDecoding(List<InFlight<T>> taken, RunGuard<T> guard)
      throws LaneAbandonedException {
    List<InFlight<T>> risky = new ArrayList<>();
    List<InFlight<T>> readable = new ArrayList<>();
    for (InFlight<T> message : taken) {
      boolean unread = !message.isRead() && !message.isDecided() && message.acker().isLive();
      (unread && message.hint == RedeliveryHint.SUSPECT ? risky : readable).add(message);
    }
    if (risky.isEmpty()) {
      return taken;
    }
    Marks.Verdicts<T> verdicts =
        judged(risky, guard, c -> parts.marks().judgeUndecoded(c, risky, false));
    readable.addAll(verdicts.together);
    for (InFlight<T> message : verdicts.lone) {
      alone(message, guard, () -> readAlone(message, readable, guard));
    }
    return taken.stream().filter(readable::contains).toList(); // in the order of arrival
  }

  private void readAlone(InFlight<T> message, List<InFlight<T>> readable, RunGuard<T> guard)
      throws LaneAbandonedException {
    List<InFlight<T>> one = List.of(message);
    if (judged(one, guard, c -> parts.marks().judgeUndecoded(c, one, true)).together.isEmpty()) {
      return;
    }
    readOne(message);
    if (endDecoding(one) || !message.isDecided()) {
      readable.add(message);
    } else {
      intake.park(message, NEXT_TRY);
    }
  }

  /** Returns whether it is on record. */
  private boolean endDecoding(List<InFlight<T>> messages) {
    return messages.isEmpty()
        || parts
                .transactions()
                .run(
                    tx -> {
                      parts.marks().endDecoding(tx.connection(), messages);
                      return messages;
                    })
            instanceof Outcome.Committed<?>;
  }

  // ---- judge suspects; run together or alone

  private void process(List<InFlight<T>> ready, RunGuard<T> guard) throws LaneAbandonedException {
    List<InFlight<T>> together = new ArrayList<>();
    List<InFlight<T>> suspects = new ArrayList<>();
    List<InFlight<T>> lone = new ArrayList<>();
    for (InFlight<T> message : ready) {
      if (message.lost) {
        settle.late(message, "the delivery was lost before it was started");
      } else if (message.ackOnly) {
        settle.ack(message);
      } else if (message.doom != null) {
        settle.bury(message);
      } else if (message.alone || message.hint == RedeliveryHint.RETRIED) {
        lone.add(message);
      } else {
        (message.hint == RedeliveryHint.FIRST ? together : suspects).add(message);
      }
    }
    run(together, guard);
    if (!suspects.isEmpty()) {
      Marks.Verdicts<T> verdicts =
          judged(suspects, guard, c -> parts.marks().judge(c, suspects, false));
      run(verdicts.together, guard);
      lone.addAll(verdicts.lone);
    }
    for (InFlight<T> message : lone) {
      if (message.hint == RedeliveryHint.SUSPECT) {
        alone(message, guard, () -> runAlone(message, guard));
      } else {
        run(List.of(message), guard);
      }
    }
  }

  private void runAlone(InFlight<T> message, RunGuard<T> guard) throws LaneAbandonedException {
    List<InFlight<T>> one = List.of(message);
    run(judged(one, guard, c -> parts.marks().judge(c, one, true)).together, guard);
  }

  /** Gives the message the one place for lone suspects, or lets it wait for that. */
  private void alone(InFlight<T> message, RunGuard<T> guard, Step step)
      throws LaneAbandonedException {
    guard.checkOwned();
    if (loneSuspect.compareAndSet(null, message)) {
      try {
        step.run();
      } finally {
        loneSuspect.compareAndSet(message, null);
      }
    } else {
      intake.park(message, LONE_TURN);
    }
  }

  /** Judges in a transaction of its own; settles what is decided, returns what is to run. */
  private Marks.Verdicts<T> judged(
      List<InFlight<T>> suspects, RunGuard<T> guard, Judgement<T> judgement)
      throws LaneAbandonedException {
    if (!parts.mayStart()) {
      settle.putBack(suspects);
      return new Marks.Verdicts<>();
    }
    Outcome<Marks.Verdicts<T>> outcome =
        parts.transactions().run(tx -> judgement.judge(tx.connection()));
    guard.checkOwned();
    if (!(outcome instanceof Outcome.Committed<Marks.Verdicts<T>> committed)) {
      act(diagnosis.ofJudgement(suspects, outcome), new ArrayDeque<>());
      return new Marks.Verdicts<>();
    }
    parts.gate().passed();
    Marks.Verdicts<T> verdicts = committed.value();
    verdicts.duplicates.forEach(settle::duplicate);
    verdicts.early.forEach(intake::park);
    verdicts.doomed.forEach(settle::bury);
    return verdicts;
  }

  // ---- claim → effect → commit

  private void run(List<InFlight<T>> batch, RunGuard<T> guard) throws LaneAbandonedException {
    Deque<List<InFlight<T>>> todo = new ArrayDeque<>();
    todo.add(batch);
    for (List<InFlight<T>> next = todo.poll(); next != null; next = todo.poll()) {
      if (!parts.mayStart()) {
        settle.putBack(next);
      } else if (!next.isEmpty()) {
        Turn<T> turn = transact(next, guard);
        if (turn.outcome instanceof Outcome.Committed<?>) {
          committed(turn);
        } else {
          act(diagnosis.of(turn), todo);
        }
      }
    }
  }

  private Turn<T> transact(List<InFlight<T>> batch, RunGuard<T> guard)
      throws LaneAbandonedException {
    Turn<T> turn = new Turn<>(batch);
    turn.outcome =
        parts
            .transactions()
            .run(
                tx -> {
                  guard.began(tx.connection());
                  parts.effects().run(turn, tx, guard, parts.stopping()::get);
                  return turn;
                });
    guard.ended();
    guard.checkOwned();
    return turn;
  }

  /** Only now is the outcome durable, and only now does the broker hear of it. */
  private void committed(Turn<T> turn) {
    parts.gate().passed();
    parts.effects().pace().committed();
    for (InFlight<T> message : turn.done) {
      listeners.committed(message);
      settle.ack(message);
    }
    turn.duplicates.forEach(settle::duplicate);
    settle.putBack(turn.notRun);
  }

  private void act(Aftermath<T> aftermath, Deque<List<InFlight<T>>> todo) {
    aftermath.failed.forEach(this::attemptFailed);
    aftermath.doomed.forEach(settle::bury);
    aftermath.later.forEach(settle::park);
    settle.putBack(aftermath.putBack);
    while (!aftermath.again.isEmpty()) {
      todo.addFirst(aftermath.again.removeLast());
    }
  }

  // ---- failures: count, then decide

  private void attemptFailed(InFlight<T> message, Throwable failure) {
    if (failure instanceof HandlerCancelledException) {
      intake.putBack(message);
      return;
    }
    if (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError)) {
      parts.gate().shutForGood("a handler met " + failure + "; restart the process");
    }
    AttemptCount.Counted counted = attemptCount.add(message, failure);
    if (counted == null) {
      intake.park(message, NEXT_TRY);
    } else if (counted.isApplied()) {
      settle.duplicate(message);
    } else if (counted.disposition() instanceof Disposition.Retry retry) {
      settle.retry(message, retry.delay());
    } else if (counted.disposition() instanceof Disposition.DeadLetter deadLetter) {
      message.doom = new InFlight.Doom(deadLetter.reason(), counted.attempts(), failure);
      settle.bury(message);
    } else {
      intake.putBack(message);
    }
  }

  private interface Step {
    void run() throws LaneAbandonedException;
  }

  private interface Judgement<T> {
    Marks.Verdicts<T> judge(Connection connection) throws SQLException;
  }
}
