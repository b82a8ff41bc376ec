package dev.acklast.testkit.contract;

import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import java.time.Duration;
import java.util.List;

/**
 * What the contract needs of a broker, next to the adapter. One harness serves all cases of a
 * class, one after the other; each case uses queues of its own. Methods that belong to an {@link
 * Ability} which {@link #abilities()} lacks are never called; their defaults throw. All others wait
 * until what they ask for is done.
 */
public interface BrokerHarness extends AutoCloseable {
  /** Names the kind of broker in reports: {@code rabbitmq quorum}, say. */
  String kind();

  /** What it can do. */
  Abilities abilities();

  /** How long a case waits for something that should happen, before it fails. */
  default Duration patience() {
    return Duration.ofSeconds(30);
  }

  /**
   * How many messages the case of many messages sends: what the contract asks for, unless the
   * broker would take minutes for them and the harness has them sent in longer runs.
   */
  default int many() {
    return 10_000;
  }

  /** A queue's name as the broker wants it, made of letters, digits and hyphens. */
  default String queueName(String plain) {
    return plain;
  }

  /** Creates a durable queue. */
  void createQueue(String queue);

  /** A new source of a queue, as a user would configure it. */
  Source source(String queue);

  /** A source that keeps order; needs {@link Ability#ORDERED}. */
  default Source orderedSource(String queue) {
    throw lacks("orderedSource");
  }

  /** A source whose deliveries are lent for a second or two; needs {@link Ability#SHORT_LEASE}. */
  default Source shortLeaseSource(String queue) {
    throw lacks("shortLeaseSource");
  }

  /**
   * Publishes messages and returns when the broker has them. Of each envelope it sends body,
   * headers, message id, ordering key, content type and timestamp, as far as the broker has such a
   * thing.
   */
  void publish(String queue, List<Envelope> messages);

  /** How many messages wait in the queue. */
  int ready(String queue);

  /** How many messages consumers have and have not settled. */
  int unsettled(String queue);

  /**
   * How many messages are not settled for good, those that wait for a retry included if it can
   * tell.
   */
  default int left(String queue) {
    return ready(queue) + unsettled(queue);
  }

  /** Copies of all that is in a dead-letter queue, which stays there; none if it does not exist. */
  List<Envelope> deadLetters(String deadLetterQueue);

  /** Moves all dead letters to another queue, with body and all headers. */
  void redrive(String deadLetterQueue, String queue);

  /** Breaks a dead-letter queue. */
  default void breakDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    throw lacks("breakDeadLetter");
  }

  /** Mends what {@link #breakDeadLetter} broke. */
  default void mendDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    throw lacks("mendDeadLetter");
  }

  /** Deletes a queue with all that is in it; needs {@link Ability#DELETE_QUEUE}. */
  default void deleteQueue(String queue) {
    throw lacks("deleteQueue");
  }

  /** Makes the queue take no more, or take again; needs {@link Ability#FILL_SOURCE}. */
  default void full(String queue, boolean full) {
    throw lacks("full");
  }

  /** Stops and starts the broker; needs {@link Ability#RESTART}. */
  default void restart() {
    throw lacks("restart");
  }

  /** Stops the broker; needs {@link Ability#STOP}. */
  default void stop() {
    throw lacks("stop");
  }

  /** Starts the broker after {@link #stop()}. */
  default void start() {
    throw lacks("start");
  }

  /** Cuts the connections of all consumers; needs {@link Ability#CUT}. */
  default void cutConnections() {
    throw lacks("cutConnections");
  }

  /** Freezes the broker; needs {@link Ability#FREEZE}. */
  default void freeze() {
    throw lacks("freeze");
  }

  /** Lets it go on after {@link #freeze()}. */
  default void thaw() {
    throw lacks("thaw");
  }

  /**
   * Makes the network as asked, for consumers that start afterwards too; needs {@link
   * Ability#NETWORK}.
   */
  default void network(NetworkState state) {
    throw lacks("network");
  }

  /** What opens the same source in another JVM; needs {@link Ability#OUTLIVES_PROCESS}. */
  default Class<? extends SourceOpener> opener() {
    throw lacks("opener");
  }

  /** What {@link SourceOpener#open} is given; may hold credentials. */
  default String uri() {
    throw lacks("uri");
  }

  /** Undoes what a case left behind; called after each. */
  default void tidy() {}

  @Override
  default void close() {}

  private UnsupportedOperationException lacks(String method) {
    return new UnsupportedOperationException(
        kind() + " has no " + method + ": implement it, or leave the ability out of abilities()");
  }
}
