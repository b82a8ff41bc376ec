package dev.acklast;

import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.Transactions.Transaction;
import dev.acklast.store.AttemptLedger;
import dev.acklast.store.Inbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * What happens inside the one transaction: claim the keys, apply the winners' effects, clear the
 * ledger. Notes in the {@link Turn} how far it came; decides nothing about failures. Thread-safe.
 */
final class Effects<T> {
  static final Duration WAIT_IN_BATCH = Duration.ofMillis(100);
  static final Duration WAIT_ALONE = Duration.ofSeconds(1);
  private static final int DEAD_AFTER_SECONDS = 2;

  private final ConsumerSettings<T> settings;
  private final Inbox inbox;
  private final AttemptLedger ledger;
  private final EffectHandles handles;
  private final Listeners listeners;
  private final HandlerPace pace = new HandlerPace();
  private final FailurePolicy policy;

  Effects(ConsumerSettings<T> settings, Inbox inbox, AttemptLedger ledger, Listeners listeners) {
    this.settings = settings;
    this.inbox = inbox;
    this.ledger = ledger;
    this.handles = new EffectHandles(settings.database().jdbiSetup());
    this.listeners = listeners;
    this.policy = new FailurePolicy(settings.failures());
  }

  int batchLimit() {
    return pace.batchLimit(settings.flow().batchSize());
  }

  HandlerPace pace() {
    return pace;
  }

  /** The transaction's body. What it throws rolls everything back. */
  void run(Turn<T> turn, Transaction transaction, RunGuard<T> guard, BooleanSupplier stopping)
      throws Exception {
    Connection connection = transaction.connection();
    turn.step = Turn.Step.CLAIM;
    claim(turn, connection);
    turn.step = Turn.Step.LEDGER;
    readLedger(turn, connection);
    turn.step = Turn.Step.EFFECT;
    if (settings.effect().all() != null) {
      applyAll(turn, transaction, guard);
    } else {
      applyEach(turn, transaction, guard, stopping);
    }
    turn.step = Turn.Step.LEDGER;
    clearLedger(turn, connection);
    turn.step = Turn.Step.COMMIT;
  }

  private void claim(Turn<T> turn, Connection connection) throws SQLException {
    List<String> keys = turn.batch.stream().map(InFlight::businessKey).toList();
    Set<String> won = inbox.claim(connection, keys, turn.isLone() ? WAIT_ALONE : WAIT_IN_BATCH);
    for (InFlight<T> message : turn.batch) {
      boolean winner = won.contains(message.businessKey());
      (winner ? turn.winners : turn.duplicates).add(message);
      if (winner) {
        listeners.claimed(message);
      }
    }
  }

  /**
   * A retried message's count; the claim comes first, as what was in fact applied needs no count.
   */
  private void readLedger(Turn<T> turn, Connection connection) throws Exception {
    if (turn.isLone() && !turn.winners.isEmpty() && turn.lone().hint == RedeliveryHint.RETRIED) {
      InFlight<T> message = turn.lone();
      AttemptLedger.Entry entry =
          ledger.read(connection, List.of(message.businessKey())).get(message.businessKey());
      if (entry == null) {
        return;
      }
      boolean startsAfresh = isRedrivenFrom(entry, message);
      boolean ownMark = entry.run() == null || entry.run().equals(message.run);
      if (!startsAfresh && (entry.doomed() || policy.isExhausted(entry.attempts()) || !ownMark)) {
        turn.verdict = entry;
        throw new Turn.Stopped();
      }
      message.attempt = startsAfresh ? 1 : entry.attempts() + 1;
    }
  }

  /** Whether this message is the dead letter itself that somebody has put back into the source. */
  static boolean isRedrivenFrom(AttemptLedger.Entry entry, InFlight<?> message) {
    return entry.deathId() != null && entry.deathId().equals(message.carriedDeathId());
  }

  private void applyEach(
      Turn<T> turn, Transaction transaction, RunGuard<T> guard, BooleanSupplier stopping)
      throws Exception {
    long began = System.nanoTime();
    for (InFlight<T> message : turn.winners) {
      if (!turn.done.isEmpty() && (pace.isOverBudget(began) || stopping.getAsBoolean())) {
        turn.notRun.add(message);
        continue;
      }
      try (OpenTransaction open = handles.open(transaction.connection(), describe(message))) {
        long start = System.nanoTime();
        guarded(turn, guard, List.of(message), transaction, () -> apply(message, open));
        long took = System.nanoTime() - start;
        pace.took(took);
        listeners.effectDone(message, Duration.ofNanos(took));
      }
      turn.done.add(message);
    }
    unclaim(turn, transaction.connection());
  }

  private void apply(InFlight<T> message, OpenTransaction open) throws Exception {
    Handler<? super T> each = settings.effect().each();
    if (each != null) {
      each.apply(message.payload(), open);
    }
  }

  private void applyAll(Turn<T> turn, Transaction transaction, RunGuard<T> guard) throws Exception {
    BatchHandler<T> all = settings.effect().all();
    if (all == null || turn.winners.isEmpty()) {
      return;
    }
    List<Message<T>> messages = turn.winners.stream().map(this::describe).toList();
    try (OpenTransaction open = handles.open(transaction.connection(), messages.get(0))) {
      long start = System.nanoTime();
      guarded(turn, guard, turn.winners, transaction, () -> all.apply(messages, open));
      long each = (System.nanoTime() - start) / messages.size();
      pace.took(each);
      turn.winners.forEach(message -> listeners.effectDone(message, Duration.ofNanos(each)));
    }
    turn.done.addAll(turn.winners);
  }

  private void guarded(
      Turn<T> turn,
      RunGuard<T> guard,
      List<InFlight<T>> who,
      Transaction transaction,
      UserCode code)
      throws Exception {
    guard.handlerStarts(who.get(0));
    Throwable failure = null;
    try {
      code.run();
      transaction.flush();
    } catch (Throwable e) { // whatever a handler throws is its failure, Errors too
      failure = e;
    }
    Exception interruption = guard.handlerEnded();
    if (interruption != null) {
      if (failure != null) {
        interruption.addSuppressed(failure);
      }
      failure = interruption;
    }
    if (failure != null) {
      blame(turn, who, failure);
      turn.connectionDead = !isAlive(transaction.connection());
      throw new Turn.Stopped();
    }
  }

  private void blame(Turn<T> turn, List<InFlight<T>> who, Throwable failure) {
    turn.culprit = who.get(0);
    turn.handlerFailure = failure;
    if (failure instanceof FailedMessageException told && told.getCause() != null) {
      for (InFlight<T> message : who) {
        if (told.key().equals(message.key())) {
          turn.culprit = message;
          turn.handlerFailure = told.getCause();
          turn.blamed = true;
        }
      }
    }
  }

  private static boolean isAlive(Connection connection) {
    try {
      return connection.isValid(DEAD_AFTER_SECONDS);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Claims of effects that did not run are never committed. */
  private void unclaim(Turn<T> turn, Connection connection) throws SQLException {
    if (!turn.notRun.isEmpty()) {
      inbox.unclaim(connection, turn.notRun.stream().map(InFlight::businessKey).toList());
    }
  }

  /**
   * Success ends the count, and the mark: which must still be this run's own, or another process
   * has taken the message for dead and goes on with it.
   */
  private void clearLedger(Turn<T> turn, Connection connection) throws Exception {
    Map<String, String> marks = new HashMap<>();
    List<String> counted = new ArrayList<>();
    for (InFlight<T> message : turn.without(turn.notRun)) {
      if (message.run != null) {
        marks.put(message.businessKey(), message.run);
      } else if (message.hint != RedeliveryHint.FIRST || message.carriedDeathId() != null) {
        counted.add(message.businessKey());
      }
    }
    if (!counted.isEmpty()) {
      ledger.clear(connection, counted);
    }
    if (!marks.isEmpty()) {
      Set<String> own = ledger.unmark(connection, marks);
      turn.done.stream()
          .filter(message -> message.run != null && !own.contains(message.businessKey()))
          .forEach(turn.overtaken::add);
    }
    if (!turn.overtaken.isEmpty()) {
      throw new Turn.Stopped();
    }
    liftNotRun(turn, connection);
  }

  private void liftNotRun(Turn<T> turn, Connection connection) throws SQLException {
    Map<String, String> marks = marksOf(turn.notRun);
    if (!marks.isEmpty()) {
      ledger.lift(connection, marks);
    }
  }

  static <T> Map<String, String> marksOf(List<InFlight<T>> messages) {
    Map<String, String> marks = new HashMap<>();
    for (InFlight<T> message : messages) {
      String run = message.run;
      if (run != null) {
        marks.put(message.businessKey(), run);
      }
    }
    return marks;
  }

  private Message<T> describe(InFlight<T> message) {
    String key = message.businessKey();
    return new Message<>(
        message.payload(),
        message.envelope(),
        key,
        message.attempt,
        IdempotencyKey.of(settings.scope(), key, 1));
  }

  /** Code that may throw anything. */
  private interface UserCode {
    void run() throws Exception;
  }
}
