package dev.acklast.rabbitmq;

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
final class QuietLog {
  private static final Logger LOG = LoggerFactory.getLogger(RabbitSource.class);
  private static final int LINES = 12;
  private static final long SPAN = Duration.ofMinutes(1).toNanos();

  private final String consumer;
  private final Set<String> broken = new HashSet<>();
  private final Set<String> withStack = new HashSet<>();
  private long spanStart = System.nanoTime();
  private int lines;
  private int leftOut;

  QuietLog(String consumer) {
    this.consumer = consumer;
  }

  synchronized void trouble(String thing, String sentence, @Nullable Throwable cause) {
    broken.add(thing);
    if (!mayWrite()) {
      return;
    }
    if (cause != null && withStack.add(thing)) {
      LOG.warn("{}: {}", consumer, sentence, cause);
    } else {
      LOG.warn("{}: {}{}", consumer, sentence, omission());
    }
  }

  synchronized void mended(String thing, String sentence) {
    withStack.remove(thing);
    if (broken.remove(thing) && mayWrite()) {
      LOG.info("{}: {}{}", consumer, sentence, omission());
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
