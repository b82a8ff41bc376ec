package dev.acklast.spi;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of trouble without flooding: the stack once for each thing that is broken, then one line
 * for each failed try, and at most twelve lines a minute. Thread-safe.
 */
public final class TroubleLog {
  private static final int LINES = 12;
  private static final long SPAN = Duration.ofMinutes(1).toNanos();

  private final Logger log;
  private final String consumer;
  private final Set<String> broken = new HashSet<>();
  private final Set<String> withStack = new HashSet<>();
  private long spanStart = System.nanoTime();
  private int lines;
  private int leftOut;

  /**
   * Starts with nothing broken.
   *
   * @param log where the lines go: the adapter's source class, say
   * @param consumer named at the start of each line
   */
  public TroubleLog(Class<?> log, String consumer) {
    this.log = LoggerFactory.getLogger(log);
    this.consumer = consumer;
  }

  /**
   * Tells that something is broken, or still is.
   *
   * @param thing names it, so that its mending can be told: the same for each failed try
   * @param sentence what is wrong, free of payloads and credentials
   */
  public synchronized void trouble(String thing, String sentence, @Nullable Throwable cause) {
    broken.add(thing);
    if (!mayWrite()) {
      return;
    }
    if (cause != null && withStack.add(thing)) {
      log.warn("{}: {}", consumer, sentence, cause);
    } else {
      log.warn("{}: {}{}", consumer, sentence, omission());
    }
  }

  /** Tells that it works again, if trouble with it was told before. */
  public synchronized void mended(String thing, String sentence) {
    withStack.remove(thing);
    if (broken.remove(thing) && mayWrite()) {
      log.info("{}: {}{}", consumer, sentence, omission());
    }
  }

  private boolean mayWrite() {
    long now = System.nanoTime();
    if (now - spanStart > SPAN) {
      spanStart = now;
      lines = 0;
    }
    if (lines >= LINES) {
      leftOut++;
      return false;
    }
    lines++;
    return true;
  }

  private String omission() {
    if (leftOut == 0) {
      return "";
    }
    String text = " (" + leftOut + " more lines were left out)";
    leftOut = 0;
    return text;
  }
}
