package dev.acklast.demo;

import java.io.PrintStream;
import java.time.Duration;

/**
 * What the user sees: a line for each step; on a terminal the current one is written over and over,
 * elsewhere news come every ten seconds. Thread-safe.
 */
final class Console {
  private static final String CLEAR_LINE = "\r\u001B[K";
  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(10);

  private final PrintStream out;
  private final int columns;
  private String step = "";
  private long stepBegan;
  private long toldAt;
  private boolean silent;

  /**
   * Tells it there.
   *
   * @param columns the terminal's width; 0 if it is none
   */
  Console(PrintStream out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  /** A line that stays. */
  synchronized void line(String text) {
    if (!silent) {
      out.println((isTerminal() ? CLEAR_LINE : "") + text);
      out.flush();
    }
  }

  /** Begins a step. */
  synchronized void begin(String title) {
    step = title;
    stepBegan = System.nanoTime();
    toldAt = stepBegan;
    if (isTerminal()) {
      over(step + " …");
    }
  }

  /** How the step stands. */
  synchronized void progress(String state) {
    long now = System.nanoTime();
    if (isTerminal()) {
      over(step + " … " + state);
    } else if (now - toldAt > PLAIN_INTERVAL.toNanos()) {
      line("  " + step + " … " + state);
      toldAt = now;
    }
  }

  /** Ends the step: what came of it, and how long it took. */
  synchronized void done(String result) {
    double seconds = (System.nanoTime() - stepBegan) / 1e9;
    line("%s: %s (%.1f s)".formatted(step, result, seconds));
  }

  /** Says nothing more: the user has ended it. */
  synchronized void silence() {
    if (isTerminal() && !silent) {
      over("");
    }
    silent = true;
  }

  private boolean isTerminal() {
    return columns > 0;
  }

  /** A line that wraps could not be written over. */
  private void over(String text) {
    if (!silent) {
      out.print(CLEAR_LINE + text.substring(0, Math.min(text.length(), columns - 1)));
      out.flush();
    }
  }
}
