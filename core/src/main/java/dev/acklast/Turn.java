package dev.acklast;

import dev.acklast.spi.Transactions;
import dev.acklast.store.AttemptLedger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of a lane: what it was for, how far it came, and how it ended. For one thread.
 */
final class Turn<T> {
  /** What the transaction is at; where it ended, if it rolled back. */
  enum Step {
    BEGIN,
    CLAIM,
    EFFECT,
    LEDGER,
    COMMIT
  }

  final List<InFlight<T>> batch;
  final List<InFlight<T>> duplicates = new ArrayList<>();
  final List<InFlight<T>> winners = new ArrayList<>();
  final List<InFlight<T>> done = new ArrayList<>();
  final List<InFlight<T>> notRun = new ArrayList<>();

  Step step = Step.BEGIN;

  /** Whose handler failed, and how; both or neither. */
  @Nullable InFlight<T> culprit;

  @Nullable Throwable handlerFailure;

  /** Whether the culprit is known to be one; a batch's handler often cannot tell. */
  boolean blamed;

  /** The transaction's connection did not answer any more when the handler had failed. */
  boolean connectionDead;

  /**
   * The ledger forbids a run of this (lone) message: its limit is reached, or it is dead already.
   */
  AttemptLedger.@Nullable Entry verdict;

  /** Somebody else's mark has taken the place of these messages' own. */
  final List<InFlight<T>> overtaken = new ArrayList<>();

  Transactions.Outcome<?> outcome = new Transactions.Outcome.Committed<>(true);

  Turn(List<InFlight<T>> batch) {
    this.batch = batch;
  }

  boolean isLone() {
    return batch.size() == 1;
  }

  InFlight<T> lone() {
    return batch.get(0);
  }

  List<InFlight<T>> without(Collection<InFlight<T>> some) {
    List<InFlight<T>> rest = new ArrayList<>(batch);
    rest.removeAll(some);
    return rest;
  }

  /** Ends the transaction's body, and so rolls it back; why stands in the turn. */
  static final class Stopped extends Exception {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("rolled back on purpose", null, false, false);
    }
  }
}
