package dev.acklast.sqs;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/**
 * What a user has chosen. Immutable.
 *
 * @param queues at least one, each once, all FIFO or none
 * @param createsTopology whether a missing dead-letter queue may be created
 * @param longPoll how long one receive waits for messages: whole seconds, 1 to 20
 * @param polls most receives at once for one queue
 * @param visibility how long messages are lent, each time anew: whole seconds, 2 to 43,200
 * @param unwrapsSns whether notifications of SNS are taken out of their wrapping
 */
record Options(
    List<QueueName> queues,
    boolean createsTopology,
    Duration longPoll,
    int polls,
    Duration visibility,
    boolean unwrapsSns) {

  /** What one receive brings at most: a rule of the service. */
  static final int LARGEST_BATCH = 10;

  /** How long a message can be lent in all: a rule of the service. */
  static final Duration LONGEST_LEASE = Duration.ofHours(12);

  private static final Duration LONGEST_POLL = Duration.ofSeconds(20);

  Options {
    queues = List.copyOf(queues);
    if (queues.isEmpty()) {
      throw new IllegalArgumentException("Name at least one queue to consume from");
    }
    if (new HashSet<>(queues).size() < queues.size()) {
      throw new IllegalArgumentException("Each queue can be named once only: " + queues);
    }
    if (queues.stream().map(QueueName::isFifo).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "Order is kept on FIFO queues only, so they need a source of their own: " + queues);
    }
    checkSeconds("longPoll", longPoll, Duration.ofSeconds(1), LONGEST_POLL);
    checkSeconds("visibilityTimeout", visibility, Duration.ofSeconds(2), LONGEST_LEASE);
    if (polls < 1 || polls > 100) {
      throw new IllegalArgumentException("polls must be 1 to 100, not " + polls);
    }
  }

  private static void checkSeconds(String what, Duration value, Duration least, Duration most) {
    boolean whole = value.equals(Duration.ofSeconds(value.toSeconds()));
    if (!whole || value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          what + " must be whole seconds from " + least + " to " + most + ", not " + value);
    }
  }

  static Options of(List<String> queues) {
    return new Options(
        queues.stream().map(QueueName::of).toList(),
        true,
        Duration.ofSeconds(3),
        8,
        Duration.ofSeconds(30),
        false);
  }

  Options withoutTopology() {
    return new Options(queues, false, longPoll, polls, visibility, unwrapsSns);
  }

  Options withLongPoll(Duration wait) {
    return new Options(queues, createsTopology, wait, polls, visibility, unwrapsSns);
  }

  Options withPolls(int most) {
    return new Options(queues, createsTopology, longPoll, most, visibility, unwrapsSns);
  }

  Options withVisibility(Duration timeout) {
    return new Options(queues, createsTopology, longPoll, polls, timeout, unwrapsSns);
  }

  Options withUnwrappedSns() {
    return new Options(queues, createsTopology, longPoll, polls, visibility, true);
  }

  /**
   * How long one receive waits: at most half of a lease, as nobody knows how much of it is over
   * when a message comes at the end of the wait.
   */
  Duration effectiveLongPoll() {
    long seconds = Math.min(longPoll.toSeconds(), visibility.toSeconds() / 2);
    return Duration.ofSeconds(seconds);
  }

  boolean isFifo() {
    return queues.get(0).isFifo();
  }
}
