package dev.acklast.runner;

import dev.acklast.AcklastListener;
import dev.acklast.DeathReason;
import dev.acklast.MessageInfo;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** Counts what became of messages. Thread-safe. */
final class Tally implements AcklastListener {
  private final LongAdder applied = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder retried = new LongAdder();
  private final LongAdder deadLettered = new LongAdder();

  @Override
  public void committed(MessageInfo message) {
    applied.increment();
  }

  @Override
  public void duplicate(MessageInfo message) {
    duplicates.increment();
  }

  @Override
  public void retried(MessageInfo message, Duration delay) {
    retried.increment();
  }

  @Override
  public void deadLettered(MessageInfo message, DeathReason reason) {
    deadLettered.increment();
  }

  Count count() {
    return new Count(applied.sum(), duplicates.sum(), retried.sum(), deadLettered.sum());
  }

  /** The counters at one moment. */
  record Count(long applied, long duplicates, long retried, long deadLettered) {
    /** Messages per second that came to an end since an earlier moment. */
    double rateSince(Count before, Duration elapsed) {
      long ended = ended() - before.ended();
      return elapsed.isZero() ? 0 : ended * 1e9 / elapsed.toNanos();
    }

    private long ended() {
      return applied + duplicates + deadLettered;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%,d applied, %,d duplicates, %,d retried, %,d dead-lettered",
          applied,
          duplicates,
          retried,
          deadLettered);
    }
  }
}
