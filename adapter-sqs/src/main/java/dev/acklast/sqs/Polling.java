package dev.acklast.sqs;

import java.time.Duration;

/**
 * Decides when to receive from one queue, and how much: never more than there is room for, several
 * at once while they bring something, and one while nothing comes. Thread-safe.
 */
final class Polling {
  /** How long a little room waits to become enough for a receive that is worth its price. */
  private static final Duration GATHER = Duration.ofMillis(50);

  private final Workers workers;
  private final int room;
  private final int mostPolls;
  private final int worthwhile;
  private Receiver receiver = most -> -1;
  private int unsettled;
  private int asked;
  private int polls;
  private boolean flowing;
  private boolean gathering;
  private boolean shut;

  /** Receives once, and hands over what came. */
  interface Receiver {
    /**
     * Receives.
     *
     * @param most 1 to 10
     * @return how many came; -1 if it failed, so that this is not to be repeated now
     */
    int receive(int most);
  }

  Polling(Workers workers, int room, int mostPolls) {
    this.workers = workers;
    this.room = room;
    this.mostPolls = mostPolls;
    this.worthwhile = Math.max(1, Math.min(Options.LARGEST_BATCH, room / 4));
  }

  void receiver(Receiver chosen) {
    receiver = chosen;
  }

  synchronized void flow(boolean on) {
    flowing = on;
    wake();
  }

  synchronized void shut() {
    shut = true;
  }

  /** So many have come, and will be handed over. */
  synchronized void arrived(int count) {
    unsettled += count;
  }

  synchronized void settled() {
    unsettled--;
    wake();
  }

  /** Waits for the receives under way, until {@code end} on {@link System#nanoTime}'s clock. */
  synchronized boolean awaitIdle(long end) throws InterruptedException {
    for (long left = end - System.nanoTime(); polls > 0; left = end - System.nanoTime()) {
      if (left <= 0) {
        return false;
      }
      wait(Math.max(1, left / 1_000_000));
    }
    return true;
  }

  private int free() {
    return flowing && !shut ? Math.min(Options.LARGEST_BATCH, room - unsettled - asked) : 0;
  }

  private void wake() {
    if (polls > 0 || gathering || free() <= 0) {
      return;
    }
    if (free() >= worthwhile) {
      start();
    } else {
      gathering = workers.later(this::gathered, GATHER);
    }
  }

  private synchronized void gathered() {
    gathering = false;
    if (polls == 0 && free() > 0) {
      start();
    }
  }

  private void start() {
    if (workers.poll(this::run)) {
      polls++;
    }
  }

  private void run() {
    int most = next(0, 0);
    while (most > 0) {
      int came = -1;
      try {
        came = receiver.receive(most);
      } finally {
        most = next(most, came);
      }
    }
  }

  /** Ends one receive and begins the next, or ends the series: 0. */
  private synchronized int next(int ended, int came) {
    asked -= ended;
    boolean first = ended == 0;
    boolean useful = first || came > 0 || (came == 0 && polls == 1);
    int most = useful ? free() : 0;
    if (most <= 0) {
      polls--;
      notifyAll();
      if (came >= 0) {
        wake();
      }
      return 0;
    }
    asked += most;
    if (came * 2 >= ended && !first && polls < mostPolls && free() > 0) {
      start();
    }
    return most;
  }
}
