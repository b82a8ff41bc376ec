package dev.acklast.chaos;

import java.io.PrintStream;
import java.time.Duration;

/**
 * What the user sees: a line for each event, and beneath them, on a terminal, how things stand,
 * over and over; elsewhere that comes every ten seconds. Thread-safe.
 */
final class Screen {
  private static final String CLEAR_LINE = "\r\u001B[K";
  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(10);

  private final PrintStream out;
  private final int columns;
  private final long began = System.nanoTime();
  private long toldAt = began;

  /**
   * @param columns the terminal's width; 0 if it is none
   */
  Screen(PrintStream out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  /** A line that stays. */
  synchronized void line(String text) {
    out.println((columns > 0 ? CLEAR_LINE : "") + text);
    out.flush();
  }

  /** A line that stays, with the time since the start. */
  void event(String text) {
    line("%6.1f s  %s".formatted((System.nanoTime() - began) / 1e9, text));
  }

  /** How things stand. */
  synchronized void state(String text) {
    long now = System.nanoTime();
    if (columns > 0) {
      out.print(CLEAR_LINE + text.substring(0, Math.min(text.length(), columns - 1)));
      out.flush();
    } else if (now - toldAt > PLAIN_INTERVAL.toNanos()) {
      toldAt = now;
      event(text);
    }
  }
}
