package dev.acklast.kafka;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Sink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * A member of a consumer group: polls without a stop, hands over what was read, commits what is
 * done. All but {@link #troubles} and {@link #hasJoined} runs on the polling thread, which alone
 * touches the client; it calls the listener's methods from within its polls.
 */
final class GroupMember implements ConsumerRebalanceListener {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration FULL = Duration.ofMillis(20);
  private static final Duration FARE = Duration.ofMillis(2_500);
  private static final Duration LAST_WORK = Duration.ofSeconds(5);
  private static final Duration RECLAIM = Duration.ofMillis(200);

  private final Consumer<byte[], byte[]> consumer;
  private final GroupParts parts;
  private final Held held;
  private final Commits commits;
  private final Opening opening;
  private final Duration lastWork;
  private final Map<TopicPartition, Assignment> assignments = new ConcurrentHashMap<>();
  private final int deep;
  private volatile boolean joined;

  GroupMember(Consumer<byte[], byte[]> consumer, GroupParts parts) {
    this.consumer = consumer;
    this.parts = parts;
    this.held = new Held(parts.settings().prefetch(), parts.options().limits().bytes());
    this.commits = new Commits(consumer, parts.log());
    this.opening = new Opening(consumer, commits, parts);
    this.deep = Math.max(1, parts.settings().prefetch() / 2);
    long mostPause = parts.config().longestPollInterval().toMillis() / 4;
    this.lastWork = Duration.ofMillis(Math.min(LAST_WORK.toMillis(), mostPause));
  }

  void subscribe(Collection<String> topics) {
    consumer.subscribe(topics, this);
  }

  boolean hasJoined() {
    return joined;
  }

  /** What keeps partitions from moving. */
  List<String> troubles() {
    List<String> all = new ArrayList<>(standstills());
    assignments.values().stream()
        .map(Assignment::heldUp)
        .flatMap(Optional::stream)
        .forEach(all::add);
    String commitTrouble = commits.trouble();
    if (commitTrouble != null) {
      all.add(commitTrouble);
    }
    return all;
  }

  boolean standsStill() {
    return !assignments.isEmpty() && standstills().size() == assignments.size();
  }

  private List<String> standstills() {
    return assignments.values().stream()
        .map(Assignment::standstill)
        .filter(Objects::nonNull)
        .toList();
  }

  /** One round. */
  void step(Valve valve) throws InterruptedException {
    long counted = held.changes();
    opening.open(assignments.values());
    valve.handOver(this::handOver);
    commits.tick(assignments.values());
    adjustPauses(valve.isShut());
    boolean full = !valve.isShut() && assignments.values().stream().anyMatch(a -> a.waiting() > 0);
    try {
      take(consumer.poll(full ? Duration.ZERO : POLL));
    } catch (OffsetOutOfRangeException e) {
      opening.outOfRange(assignments, e.offsetOutOfRangePartitions());
    }
    joined = consumer.groupMetadata().generationId() > 0;
    if (full) {
      held.awaitChange(counted, FULL);
    }
  }

  private void take(ConsumerRecords<byte[], byte[]> records) {
    for (Map.Entry<TopicPartition, OffsetAndMetadata> next : records.nextOffsets().entrySet()) {
      Assignment assignment = assignments.get(next.getKey());
      if (assignment != null && assignment.isOpen()) {
        assignment.read(records.records(next.getKey()), next.getValue());
      }
    }
  }

  /** One of each partition in turn, so that none starves another. */
  private void handOver() {
    Sink sink = parts.sink();
    boolean more = true;
    while (more) {
      more = false;
      for (Assignment assignment : assignments.values()) {
        Delivery delivery = assignment.handOver(parts.deadLetters());
        if (delivery != null) {
          sink.deliver(delivery);
          more = true;
        }
      }
    }
  }

  /** Compares with what the client has paused, since a rebalance forgets that. */
  private void adjustPauses(boolean shut) {
    Set<TopicPartition> paused = consumer.paused();
    Set<TopicPartition> pause = new HashSet<>();
    Set<TopicPartition> resume = new HashSet<>();
    boolean full = shut || held.isFull();
    for (Assignment assignment : assignments.values()) {
      boolean still =
          full
              || !assignment.isOpen()
              || assignment.standstill() != null
              || assignment.waiting() >= deep;
      if (still != paused.contains(assignment.partition())) {
        (still ? pause : resume).add(assignment.partition());
      }
    }
    consumer.pause(pause);
    consumer.resume(resume);
  }

  // ---- rebalances

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      assignments.put(partition, new Assignment(partition, parts.options(), held));
      consumer.seek(partition, 0); // or the client would look for its offset itself, and give up
    }
    consumer.pause(partitions);
  }

  /** Lets started work end within a bound, and says how far it came. */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    List<Assignment> leaving = remove(partitions);
    try {
      awaitWork(leaving);
      commits.now(Commits.collect(leaving, Assignment::farewell), FARE);
    } catch (InterruptException | InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (KafkaException e) {
      parts.log().trouble("revoke", "partitions were given up without a last commit", e);
    } finally {
      leaving.forEach(Assignment::drop);
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    remove(partitions).forEach(Assignment::drop);
  }

  private List<Assignment> remove(Collection<TopicPartition> partitions) {
    return partitions.stream().map(assignments::remove).filter(Objects::nonNull).toList();
  }

  private void awaitWork(List<Assignment> leaving) throws InterruptedException {
    long end = System.nanoTime() + lastWork.toNanos();
    long nextReclaim = System.nanoTime();
    while (leaving.stream().anyMatch(Assignment::isInWork) && System.nanoTime() < end) {
      long counted = held.changes();
      if (System.nanoTime() >= nextReclaim) {
        parts.sink().reclaim(envelope -> leaving.stream().anyMatch(a -> a.isOrigin(envelope)));
        nextReclaim = System.nanoTime() + RECLAIM.toNanos();
      }
      held.awaitChange(counted, FULL);
    }
  }

  /** Commits what is done, lets go of all partitions, leaves the group. */
  void close(Duration limit) {
    List<Assignment> all = List.copyOf(assignments.values());
    assignments.clear();
    long end = System.nanoTime() + limit.toNanos();
    try {
      commits.now(Commits.collect(all, Assignment::farewell), limit.dividedBy(2));
    } catch (KafkaException e) {
      parts.log().trouble("close", "the last commit failed: what it missed comes again", e);
    } finally {
      all.forEach(Assignment::drop);
      Duration rest = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      consumer.close(CloseOptions.timeout(rest));
    }
  }
}
