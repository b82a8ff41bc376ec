package dev.acklast.rabbitmq;

import com.rabbitmq.client.Connection;
import dev.acklast.spi.SourceSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the copies of one queue's messages go: its dead-letter target and its delay queues.
 * Thread-safe.
 */
final class Outlets {
  private final String queue;
  private final Target deadLetter;
  private final Ladder ladder;
  private final boolean delays;
  private final Map<Long, Target> rungs = new ConcurrentHashMap<>();

  private Outlets(String queue, Target deadLetter, Ladder ladder, boolean delays) {
    this.queue = queue;
    this.deadLetter = deadLetter;
    this.ladder = ladder;
    this.delays = delays;
  }

  /**
   * Works out where copies go, and checks what can be checked without the broker.
   *
   * @throws IllegalArgumentException if that cannot work
   */
  static Outlets of(String queue, Options options, SourceSettings settings) {
    Ladder ladder = new Ladder(settings.longestDelay());
    boolean delays = options.createsTopology() && !settings.ordered();
    if (delays && !ladder.fits(queue)) {
      throw new IllegalArgumentException(
          "The name of queue '"
              + queue
              + "' is too long for delay queues beside it: choose"
              + " topologyNone(), or a shorter name");
    }
    return new Outlets(queue, deadLetterTarget(queue, options, settings), ladder, delays);
  }

  private static Target deadLetterTarget(String queue, Options options, SourceSettings settings) {
    String exchange = options.deadLetterExchange();
    if (exchange != null) {
      if (settings.deadLetter() != null) {
        throw new IllegalArgumentException(
            "Choose one: deadLetterTo(…) names a queue, deadLetterExchange(…) an exchange");
      }
      return new Target(
          exchange,
          options.deadLetterRoutingKey(),
          "the dead-letter exchange '" + exchange + "'",
          connection -> Declarations.deadLetterExchange(connection, exchange),
          false);
    }
    String name = deadLetterQueue(queue, settings);
    Options.checkName("dead-letter queue", name);
    if (options.queues().contains(name)) {
      throw new IllegalArgumentException(
          "The dead-letter queue '"
              + name
              + "' is a source queue itself, so that dead letters would"
              + " come back for ever: name another one");
    }
    return new Target(
        "",
        name,
        "the dead-letter queue '" + name + "'",
        connection -> Declarations.deadLetterQueue(connection, name, options.createsTopology()),
        false);
  }

  /** The name of the dead-letter queue where no exchange is chosen. */
  static String deadLetterQueue(String queue, SourceSettings settings) {
    String named = settings.deadLetter();
    return named == null ? queue + ".dlq" : named;
  }

  Target deadLetter() {
    return deadLetter;
  }

  /** The delay queue for a delay. */
  Target delay(Duration delay) {
    return rungs.computeIfAbsent(ladder.rung(delay), this::rung);
  }

  private Target rung(long millis) {
    String name = Ladder.queueName(queue, millis);
    return new Target(
        "",
        name,
        "the delay queue '" + name + "'",
        connection -> Declarations.delayQueue(connection, queue, millis),
        true);
  }

  /**
   * Looks for the dead-letter target, and for one delay queue: whether the longest can be had tells
   * whether all can.
   *
   * @return what is wrong with the delay queue, for the user; empty if nothing is
   * @throws TopologyException if there is no dead-letter target
   */
  List<String> look(Connection connection) throws IOException {
    deadLetter.lookFor(connection);
    if (!delays) {
      return List.of();
    }
    try {
      delay(Duration.ofMillis(ladder.top())).lookFor(connection);
      return List.of();
    } catch (TopologyException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  /** What is wrong now. */
  List<String> troubles() {
    List<String> troubles = new ArrayList<>();
    addTrouble(troubles, deadLetter);
    rungs.values().forEach(rung -> addTrouble(troubles, rung));
    return troubles;
  }

  private static void addTrouble(List<String> troubles, Target target) {
    String trouble = target.trouble();
    if (trouble != null) {
      troubles.add(trouble);
    }
  }
}
