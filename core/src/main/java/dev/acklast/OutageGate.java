package dev.acklast;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the flow while the database (or what the user named an outage) is away, and lets it start
 * again with one lane once a probe succeeds. What is in hand stays in hand, uncounted. Thread-safe.
 */
final class OutageGate {
  private static final Logger log = LoggerFactory.getLogger(OutageGate.class);
  private static final long FIRST_PROBE_MILLIS = 100;
  private static final long LONGEST_PROBE_MILLIS = 5_000;

  /** How far the gate is open. */
  enum State {
    /** All lanes work. */
    FLOWING,
    /** One lane tries. */
    TRYING,
    /** Nothing moves. */
    OUT
  }

  /** Hears when the gate moves. */
  interface Watcher {
    void moved(State state);
  }

  private final String consumer;
  private final Supplier<@Nullable String> probe;
  private final Listeners listeners;
  private Watcher watcher = state -> {};
  private @Nullable Tending tending;

  /**
   * A probe waits for the database: whoever only asks how things are must not wait for the probe.
   */
  private final ReentrantLock probing = new ReentrantLock();

  private State state = State.FLOWING;
  private String reason = "";
  private boolean declared;
  private boolean fatal;
  private int probes;
  private long sinceNanos;

  /**
   * Makes a gate that flows.
   *
   * @param probe null if the database is well, otherwise what is wrong with it
   */
  OutageGate(String consumer, Supplier<@Nullable String> probe, Listeners listeners) {
    this.consumer = consumer;
    this.probe = probe;
    this.listeners = listeners;
  }

  synchronized void start(Watcher hears, Tending tendingThread) {
    watcher = hears;
    tending = tendingThread;
  }

  synchronized State state() {
    return state;
  }

  /** Why nothing moves; null while something does. */
  synchronized @Nullable String reason() {
    return state == State.OUT ? reason : null;
  }

  /**
   * Our own connection failed: is it an outage? One probe says.
   *
   * @return true if so: the gate is shut now
   */
  boolean isOutage(Throwable failure) {
    probing.lock(); // one asks, and the others that failed meanwhile have the answer from it
    try {
      return state() == State.OUT || probeSaysOut(failure);
    } finally {
      probing.unlock();
    }
  }

  private boolean probeSaysOut(Throwable failure) {
    String wrong = probe.get();
    if (wrong == null) {
      return state() == State.OUT; // declared by another lane meanwhile
    }
    shut(wrong);
    log.debug("{}: what opened the outage", consumer, Deaths.shown(failure));
    return true;
  }

  /** A failure of a type that the user declared an outage. */
  synchronized void declare(Throwable failure) {
    shut("the handler met " + failure.getClass().getSimpleName() + ", which outageOn names", true);
  }

  /** The database could not be reached or used at start: as an outage, until it can. */
  synchronized void shut(String why) {
    shut(why, false);
  }

  /** Ends the flow for good: the process is not to be trusted any more. */
  synchronized void shutForGood(String why) {
    fatal = true;
    shut(why, true);
  }

  /** A transaction was committed: whatever was out is back. */
  synchronized void passed() {
    if (state == State.TRYING) {
      state = State.FLOWING;
      probes = 0;
      Duration lasted = Duration.ofNanos(System.nanoTime() - sinceNanos);
      log.info("{}: the outage is over after {} ms", consumer, lasted.toMillis());
      listeners.outageClosed(consumer, lasted);
      watcher.moved(state);
    }
  }

  private void shut(String why, boolean byDeclaration) {
    if (state == State.FLOWING) {
      sinceNanos = System.nanoTime();
      log.warn("{}: outage, nothing is consumed until it is over: {}", consumer, why);
      listeners.outageOpened(consumer, why);
    }
    boolean wasOut = state == State.OUT;
    state = State.OUT;
    reason = why;
    declared = byDeclaration;
    watcher.moved(state);
    if (!wasOut) {
      probeLater();
    }
  }

  private void probeLater() {
    if (tending == null || fatal) {
      return;
    }
    long full = Math.min(LONGEST_PROBE_MILLIS, FIRST_PROBE_MILLIS << Math.min(probes, 10));
    probes++;
    long delay = full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1);
    tending.after(Duration.ofMillis(delay), this::probeNow);
  }

  private void probeNow() {
    String wrong = probe.get();
    synchronized (this) {
      if (fatal || state != State.OUT) {
        return;
      }
      if (wrong == null) {
        log.info(
            "{}: {}; trying with one lane", consumer, declared ? "waited" : "the database answers");
        state = State.TRYING;
        watcher.moved(state);
      } else {
        if (!declared) {
          reason = wrong;
        }
        probeLater();
      }
    }
  }
}
