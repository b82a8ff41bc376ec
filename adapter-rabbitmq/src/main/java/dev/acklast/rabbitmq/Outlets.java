package dev.acklast.rabbitmq;

import com.rabbitmq.client.Connection;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.SourceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Where the copies of one queue's messages go: its dead-letter target and its delay queues.
 * Thread-safe.
 */
final class Outlets {
  private final String queue;
  private final Outlet deadLetter;
  private final Ladder ladder;
  private final boolean delays;
  private final Map<Long, Outlet> rungs = new ConcurrentHashMap<>();

  /**
   * Works out where copies go, and checks what can be checked without the broker.
   *
   * @throws IllegalArgumentException if that cannot work
   */
  Outlets(String queue, Options options, SourceSettings settings) {
    this.queue = queue;
    this.deadLetter = deadLetter(queue, options, settings);
    this.ladder = new Ladder(settings.longestDelay());
    this.delays = options.creates() && !settings.ordered();
    if (delays && !ladder.fits(queue)) {
      throw new IllegalArgumentException(
          "The name of queue '%s' is too long for delay queues beside it:".formatted(queue)
              + " choose topologyNone(), or a shorter name");
    }
  }

  private static Outlet deadLetter(String queue, Options options, SourceSettings settings) {
    String exchange = options.exchange();
    if (exchange != null) {
      if (settings.deadLetter() != null) {
        throw new IllegalArgumentException(
            "Choose one: deadLetterTo(…) names a queue, deadLetterExchange(…) an exchange");
      }
      return Outlet.deadLetterExchange(exchange, options.routingKey());
    }
    String named = settings.deadLetter();
    String name = named == null ? queue + ".dlq" : named;
    Options.checkName("dead-letter queue", name);
    if (options.queues().contains(name)) {
      throw new IllegalArgumentException(
          "The dead-letter queue '%s' is a source queue itself, so that dead".formatted(name)
              + " letters would come back for ever: name another one");
    }
    return Outlet.deadLetterQueue(name, options.creates());
  }

  /** Where the messages come from. */
  String source() {
    return queue;
  }

  /** The queues that are looked for at start: dead letters' if no exchange has them, a delay's. */
  Stream<String> queues() {
    Stream<Outlet> delay = delays ? Stream.of(longestDelay()) : Stream.of();
    return Stream.concat(Stream.of(deadLetter), delay).map(Outlet::queue).flatMap(Optional::stream);
  }

  Outlet deadLetter() {
    return deadLetter;
  }

  /** The delay queue for a delay. */
  Outlet delay(Duration delay) {
    return rungs.computeIfAbsent(ladder.rung(delay), millis -> Outlet.delayQueue(queue, millis));
  }

  private Outlet longestDelay() {
    return delay(Duration.ofMillis(ladder.top()));
  }

  /**
   * Looks for the dead-letter target, and for one delay queue: whether the longest can be had tells
   * whether all can.
   *
   * @return what is wrong with the delay queue, for the user; empty if nothing is
   * @throws RefusedException if there is no dead-letter target
   */
  List<String> look(Connection connection) {
    deadLetter.lookFor(connection);
    if (delays) {
      try {
        longestDelay().lookFor(connection);
      } catch (RefusedException e) {
        return List.of(String.valueOf(e.getMessage()));
      }
    }
    return List.of();
  }

  /** What is wrong now. */
  List<String> troubles() {
    return Stream.concat(Stream.of(deadLetter), rungs.values().stream())
        .map(Outlet::trouble)
        .filter(Objects::nonNull)
        .toList();
  }
}
