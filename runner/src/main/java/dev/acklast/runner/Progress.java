package dev.acklast.runner;

import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the counters: on a terminal in one line that is refreshed, elsewhere as a line of the log
 * every ten seconds in which something has changed. Confined to one thread.
 */
final class Progress {
  static final Duration REFRESH = Duration.ofMillis(500);
  private static final Duration PLAIN_INTERVAL = Duration.ofSeconds(10);
  private static final Logger LOG = LoggerFactory.getLogger(Progress.class);

  private final Tally tally;
  private final Terminal terminal;
  private final long started;
  private Tally.Count shown;
  private long shownAt;

  Progress(Tally tally, Terminal terminal, long nanoTime) {
    this.tally = tally;
    this.terminal = terminal;
    this.started = nanoTime;
    this.shown = tally.count();
    this.shownAt = nanoTime;
  }

  /** To be called every {@link #REFRESH}. */
  void tick(long nanoTime) {
    Tally.Count now = tally.count();
    Duration elapsed = Duration.ofNanos(nanoTime - shownAt);
    if (terminal.isInteractive()) {
      terminal.status(line(now, elapsed));
    } else if (elapsed.compareTo(PLAIN_INTERVAL) < 0) {
      return;
    } else if (!now.equals(shown)) {
      LOG.info("{}", line(now, elapsed));
    }
    shown = now;
    shownAt = nanoTime;
  }

  /** The last word: totals, and the mean rate. */
  void end(long nanoTime) {
    terminal.status("");
    Tally.Count zero = new Tally.Count(0, 0, 0, 0);
    Tally.Count total = tally.count();
    double rate = total.rateSince(zero, Duration.ofNanos(nanoTime - started));
    LOG.info("In all {}", withRate(total, rate));
  }

  private String line(Tally.Count now, Duration elapsed) {
    return withRate(now, now.rateSince(shown, elapsed));
  }

  private static String withRate(Tally.Count count, double rate) {
    return count + String.format(Locale.ROOT, ", %,.0f/s", rate);
  }
}
