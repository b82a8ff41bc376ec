package dev.acklast;

import dev.acklast.store.AttemptLedger;
import dev.acklast.store.Inbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Judges suspects: messages that somebody may have begun before. A mark, committed before the run,
 * is what a run leaves behind if its process dies: whoever finds one that is not its own runs the
 * message alone, and whoever finds one of a lone run counts an attempt. Thread-safe.
 */
final class Marks<T> {
  private final Inbox inbox;
  private final Book<T> keyed;
  private final Book<T> undecoded;
  private final FailurePolicy policy;

  Marks(Inbox inbox, AttemptLedger ledger, AttemptLedger undecoded, FailurePolicy policy) {
    this.inbox = inbox;
    this.keyed = new Book<>(ledger, InFlight::businessKey);
    this.undecoded = new Book<>(undecoded, InFlight::bodyDigest);
    this.policy = policy;
  }

  /** What is to be done with each suspect. */
  static final class Verdicts<T> {
    /** Their claims are committed. */
    final List<InFlight<T>> duplicates = new ArrayList<>();

    /** Marked: may run together. */
    final List<InFlight<T>> together = new ArrayList<>();

    /** Not marked yet: must be judged and run one at a time. */
    final List<InFlight<T>> lone = new ArrayList<>();

    /** Dead already, or tried as often as is allowed: their doom is set. */
    final List<InFlight<T>> doomed = new ArrayList<>();

    /** Their time has not come: a retry was decided before a crash. */
    final Map<InFlight<T>, Duration> early = new HashMap<>();
  }

  /**
   * Judges within one transaction, which must be committed before any of them runs. The claims are
   * tried and given up again: a run that is alive holds its claim, and is not to be taken for dead.
   *
   * @param alone whether this is about a single message that is to run alone
   * @throws SQLException with state 55P03 if one of the keys is held by somebody's open transaction
   */
  Verdicts<T> judge(Connection connection, List<InFlight<T>> suspects, boolean alone)
      throws SQLException {
    Verdicts<T> verdicts = new Verdicts<>();
    Set<String> keys = new HashSet<>();
    suspects.forEach(message -> keys.add(message.businessKey()));
    Set<String> applied = new HashSet<>(inbox.claimed(connection, keys));
    keys.removeAll(applied);
    if (!keys.isEmpty()) {
      Savepoint trial = connection.setSavepoint();
      Set<String> free =
          inbox.claim(connection, keys, alone ? Effects.WAIT_ALONE : Effects.WAIT_IN_BATCH);
      connection.rollback(trial);
      keys.stream().filter(key -> !free.contains(key)).forEach(applied::add);
      keys.retainAll(free);
    }
    List<InFlight<T>> open = new ArrayList<>();
    for (InFlight<T> message : suspects) {
      (applied.contains(message.businessKey()) ? verdicts.duplicates : open).add(message);
    }
    if (!applied.isEmpty()) {
      keyed.ledger().clear(connection, applied);
    }
    mark(keyed, connection, open, alone, verdicts);
    endDecoding(connection, suspects);
    return verdicts;
  }

  /**
   * The same for messages whose key is not known yet, by their body's digest, and without claims.
   */
  Verdicts<T> judgeUndecoded(Connection connection, List<InFlight<T>> suspects, boolean alone)
      throws SQLException {
    Verdicts<T> verdicts = new Verdicts<>();
    mark(undecoded, connection, suspects, alone, verdicts);
    verdicts.together.forEach(message -> message.decodingMarked = true);
    return verdicts;
  }

  /** Takes off the marks of messages that have been decoded. */
  void endDecoding(Connection connection, List<InFlight<T>> decoded) throws SQLException {
    Map<String, String> runs = new HashMap<>();
    for (InFlight<T> message : decoded) {
      String run = message.run;
      if (message.decodingMarked && run != null) {
        runs.put(message.bodyDigest(), run);
      }
    }
    if (!runs.isEmpty()) {
      undecoded.ledger().unmark(connection, runs);
    }
  }

  /** Takes off the marks of messages that are given up without a run. */
  void lift(Connection connection, List<InFlight<T>> unstarted) throws SQLException {
    Map<String, String> runs =
        Effects.marksOf(unstarted.stream().filter(InFlight::isRead).toList());
    if (!runs.isEmpty()) {
      keyed.ledger().lift(connection, runs);
    }
    endDecoding(connection, unstarted);
  }

  private void mark(
      Book<T> book,
      Connection connection,
      List<InFlight<T>> messages,
      boolean alone,
      Verdicts<T> verdicts)
      throws SQLException {
    if (messages.isEmpty()) {
      return;
    }
    List<String> names = messages.stream().map(book.naming()).toList();
    Map<String, AttemptLedger.Entry> entries = book.ledger().lock(connection, names);
    Map<String, AttemptLedger.Mark> written = new HashMap<>();
    for (InFlight<T> message : messages) {
      String name = book.naming().apply(message);
      AttemptLedger.Entry entry = entries.get(name);
      int attempts = judgeOne(message, entry, alone, verdicts);
      if (attempts >= 0) {
        if (message.run == null) {
          message.run = UUID.randomUUID().toString();
        }
        message.attempt = attempts + 1;
        written.put(name, new AttemptLedger.Mark(name, message.run, alone, attempts));
      }
    }
    if (!written.isEmpty()) {
      book.ledger().mark(connection, written.values());
    }
  }

  /** Files one suspect under its verdict; returns its count if it is to be marked now, else -1. */
  private int judgeOne(
      InFlight<T> message,
      AttemptLedger.@Nullable Entry entry,
      boolean alone,
      Verdicts<T> verdicts) {
    if (entry == null || Effects.isRedrivenFrom(entry, message)) {
      verdicts.together.add(message);
      return 0;
    }
    boolean orphaned = entry.run() != null && !entry.run().equals(message.run);
    if (orphaned && !alone) {
      verdicts.lone.add(message);
      return -1;
    }
    int attempts = entry.attempts() + (orphaned && entry.runAlone() ? 1 : 0);
    if (entry.doomed() || policy.isExhausted(attempts)) {
      message.doom = InFlight.Doom.of(entry, attempts);
      verdicts.doomed.add(message);
      return -1;
    }
    if (entry.dueIn() != null && !orphaned) {
      verdicts.early.put(message, entry.dueIn());
      return -1;
    }
    verdicts.together.add(message);
    return attempts;
  }

  /** A ledger, and what names a message in it. */
  private record Book<T>(AttemptLedger ledger, Function<InFlight<T>, String> naming) {}
}
