package dev.acklast.rabbitmq;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where copies go: one delay queue, or the dead-letter target. Knows whether it was found, and what
 * is wrong with it. Thread-safe.
 */
final class Target {
  private static final long LOOK_AGAIN = Duration.ofSeconds(2).toNanos();
  private static final long FADES_AFTER = Duration.ofMinutes(1).toNanos();

  private final String exchange;
  private final String routingKey;
  private final String description;
  private final Preparation preparation;
  private final boolean fades;
  private volatile boolean found;
  private volatile boolean failed;
  private volatile @Nullable String trouble;
  private volatile long lookAgainAt;

  /** Looks for the target, and creates it where that is wanted. */
  @FunctionalInterface
  interface Preparation {
    void prepare(Connection connection) throws IOException;
  }

  /**
   * A target.
   *
   * @param fades whether a failed copy is of no more interest after a while, as core keeps such a
   *     message in memory and does not try again here
   */
  Target(
      String exchange,
      String routingKey,
      String description,
      Preparation preparation,
      boolean fades) {
    this.fades = fades;
    this.exchange = exchange;
    this.routingKey = routingKey;
    this.description = description;
    this.preparation = preparation;
  }

  String exchange() {
    return exchange;
  }

  String routingKey() {
    return routingKey;
  }

  /** For sentences: {@code the dead-letter queue 'x'}. */
  String description() {
    return description;
  }

  /**
   * Makes sure that it is there, if that is not known; blocks for the broker's answers.
   *
   * @throws TopologyException if it is not; a recent finding is repeated without asking again
   */
  void ready(Connection connection) throws IOException {
    if (found) {
      return;
    }
    String known = trouble;
    if (known != null && System.nanoTime() - lookAgainAt < 0) {
      throw new TopologyException(known, null);
    }
    lookFor(connection);
  }

  /** Looks for it again, whatever is known. */
  void lookFor(Connection connection) throws IOException {
    try {
      preparation.prepare(connection);
      found = true;
      trouble = null;
    } catch (TopologyException e) {
      failed = false;
      lookAgainAt = System.nanoTime() + LOOK_AGAIN;
      trouble = e.getMessage();
      throw e;
    }
  }

  /** A copy has arrived there. */
  void worked() {
    trouble = null;
  }

  /** A copy could not be brought there: it is looked for before the next one. */
  void failed(String sentence) {
    found = false;
    failed = true;
    lookAgainAt = System.nanoTime();
    trouble = sentence;
  }

  /** What is wrong with it, as far as known; null if nothing is. */
  @Nullable String trouble() {
    boolean faded = fades && failed && System.nanoTime() - lookAgainAt > FADES_AFTER;
    return faded ? null : trouble;
  }
}
