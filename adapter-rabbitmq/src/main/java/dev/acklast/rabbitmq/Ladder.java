package dev.acklast.rabbitmq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The delays that there are queues for: 125 ms, doubling, up to the longest that core asks for,
 * which is a rung of its own (in whole seconds above one second). A delay is rounded up to the next
 * rung, so that the usual ones (1 s, 2 s, 4 s, …) fit exactly. Immutable.
 */
final class Ladder {
  private static final long SHORTEST = 125;
  private static final String INFIX = ".acklast.retry.";
  private static final int LONGEST_NAME = 255;

  private final long top;

  /**
   * A ladder.
   *
   * @param longest at least 1 ms
   */
  Ladder(Duration longest) {
    long millis = Math.max(SHORTEST, longest.toMillis());
    this.top = millis <= 1000 ? millis : (millis + 999) / 1000 * 1000;
  }

  /** The rung for a delay, in milliseconds: never less than the delay. */
  long rung(Duration delay) {
    long wanted = Math.max(1, delay.plusNanos(999_999).toMillis());
    long rung = SHORTEST;
    while (rung < wanted) {
      rung *= 2;
    }
    return wanted <= top ? Math.min(rung, top) : rung;
  }

  /** The longest rung, in milliseconds. */
  long top() {
    return top;
  }

  /** The name of the queue for one rung. */
  static String queueName(String source, long millis) {
    String delay = millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    return source + INFIX + delay;
  }

  /** Whether a queue is one of a source's delay queues. */
  static boolean isRung(String source, String queue) {
    return queue.startsWith(source + INFIX);
  }

  /** Whether the names of all delay queues fit into AMQP's limit. */
  boolean fits(String source) {
    byte[] name = queueName(source, top).getBytes(StandardCharsets.UTF_8);
    return name.length + 4 <= LONGEST_NAME;
  }
}
