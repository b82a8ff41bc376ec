package dev.acklast.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One member of a share group: a client and the thread that owns it. The client gives out nothing
 * new before all records of its last poll are settled for good, so a member takes a few records,
 * keeps their locks, and takes more when it has none left; others pass it by meanwhile.
 *
 * <p>All records of a member are locked and renewed together, so their locks end together.
 */
final class ShareMember implements Runnable {
  private static final Duration POLL = Duration.ofMillis(250);
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final long IDLE = TimeUnit.SECONDS.toNanos(30);
  private static final long MORE_MILLIS = 2;
  private static final int USUAL_LOCK_MILLIS = 30_000;

  /** Where a record stands. */
  private record Place(String topic, int partition, long offset) {
    static Place of(ConsumerRecord<byte[], byte[]> record) {
      return new Place(record.topic(), record.partition(), record.offset());
    }
  }

  private final ShareCrew crew;
  private final int most;
  private final Function<ConsumerRecord<byte[], byte[]>, ShareLoan> lending;
  private final Supplier<KafkaShareConsumer<byte[], byte[]>> opening;
  private final BlockingQueue<ShareLoan> asked = new LinkedBlockingQueue<>();
  private final Map<Place, ShareLoan> held = new LinkedHashMap<>(); // this member's thread alone
  private volatile boolean holding;
  private volatile boolean ended;
  private volatile long lockedUntil = System.nanoTime();
  private int reserved;
  private long renewAt;
  private long lock = TimeUnit.MILLISECONDS.toNanos(USUAL_LOCK_MILLIS);
  private long lastPoll = System.nanoTime();
  private long idleSince = System.nanoTime();
  private @Nullable KafkaShareConsumer<byte[], byte[]> client;

  /**
   * A member, which begins when it is run.
   *
   * @param most how many records it takes at a time
   * @param opening makes its client, which subscribes and takes no more than that
   */
  ShareMember(
      ShareCrew crew,
      int most,
      Supplier<KafkaShareConsumer<byte[], byte[]>> opening,
      DeadLetters letters) {
    this.crew = crew;
    this.most = most;
    this.opening = opening;
    this.lending = record -> new ShareLoan(this, record, letters);
  }

  /** Whether it has records, and so asks for none. */
  boolean isHolding() {
    return holding;
  }

  /** Whether the locks of what it holds cannot have ended yet, by our clock. */
  boolean isLocked() {
    return !ended && System.nanoTime() - lockedUntil < 0;
  }

  /** Asks for a settle; false if it is too late for that. */
  boolean ask(ShareLoan loan) {
    return isLocked() && asked.add(loan) && !ended;
  }

  @Override
  public void run() {
    Throwable failure = null;
    try {
      client = opening.get();
      while (!crew.isClosing() && (serve() || (crew.isOpen() && take()))) {
        // One of both was done.
      }
      settleAsked();
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      leave();
      crew.ended(this, failure);
    }
  }

  /**
   * Asks for records, if there is room for them; false if nobody needs this member. The room is
   * kept until some come: what was asked for once may come with any later poll.
   */
  private boolean take() {
    if (reserved == 0) {
      if (!crew.reserve(most)) {
        return true;
      }
      reserved = most;
      lastPoll = System.nanoTime();
    }
    long since = lastPoll;
    lastPoll = System.nanoTime();
    ConsumerRecords<byte[], byte[]> records = client().poll(POLL);
    crew.up();
    if (!records.isEmpty()) {
      // They may have been locked for us as soon as the last poll began.
      client().acquisitionLockTimeoutMs().ifPresent(this::lockFor);
      locked(since);
      idleSince = System.nanoTime();
      handOver(records);
      freeReserved();
    }
    return System.nanoTime() - idleSince < IDLE || !crew.maySpare();
  }

  /** Gives back the room that is reserved and not taken by what is held. */
  private void freeReserved() {
    if (reserved > 0) {
      crew.free(reserved - held.size());
      reserved = 0;
    }
  }

  private void lockFor(int millis) {
    lock = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void locked(long since) {
    lockedUntil = since + lock;
    renewAt = since + lock / 3;
  }

  /** What is not wanted any more, or too much, goes back at once. */
  private void handOver(ConsumerRecords<byte[], byte[]> records) {
    holding = true;
    List<ShareLoan> unwanted = new ArrayList<>();
    Map<TopicPartition, Integer> epochs = crew.leaderEpochs(records.partitions());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      ShareLoan loan = lending.apply(record);
      if (held.size() < most && crew.deliver(record, count(record, epochs), loan)) {
        held.put(Place.of(record), loan);
      } else {
        unwanted.add(loan);
      }
    }
    if (!unwanted.isEmpty()) {
      unwanted.forEach(loan -> client().acknowledge(loan.record(), AcknowledgeType.RELEASE));
      commit();
    }
    holding = !held.isEmpty();
  }

  /**
   * A leader keeps in memory who has a record: the next one may count from one again. So the count
   * is good for records that were written under the leader that delivers them.
   */
  private static @Nullable Integer count(
      ConsumerRecord<byte[], byte[]> record, Map<TopicPartition, Integer> epochs) {
    Integer epoch = epochs.get(new TopicPartition(record.topic(), record.partition()));
    boolean same = epoch != null && record.leaderEpoch().filter(epoch::equals).isPresent();
    int count = record.deliveryCount().map(Short::intValue).orElse(0);
    return count > 1 || (count == 1 && same) ? (Integer) count : null;
  }

  /** Settles what was asked for and keeps the locks of the rest; false if it has nothing. */
  private boolean serve() {
    if (held.isEmpty()) {
      return false;
    }
    try {
      ShareLoan first = asked.poll(TICK, TimeUnit.NANOSECONDS);
      if (first != null) {
        if (asked.size() + 1 < held.size()) {
          Thread.sleep(MORE_MILLIS); // a batch's acks come one by one: one request for all
        }
        settle(first);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    if (!isLocked()) {
      throw new LockLostException();
    }
    if (System.nanoTime() - renewAt >= 0 && !held.isEmpty()) {
      renew();
    }
    return true;
  }

  private void settleAsked() {
    ShareLoan first = asked.poll();
    if (first != null) {
      settle(first);
    }
  }

  private void settle(ShareLoan first) {
    List<ShareLoan> all = new ArrayList<>(List.of(first));
    asked.drainTo(all);
    all.removeIf(loan -> !held.containsKey(Place.of(loan.record())));
    if (all.isEmpty() || !isLocked()) {
      return; // they end with this member
    }
    all.forEach(loan -> client().acknowledge(loan.record(), loan.wanted()));
    Map<TopicPartition, String> refused = commit();
    for (ShareLoan loan : all) {
      String reason = refused.get(partition(loan));
      end(Place.of(loan.record()), reason);
    }
    if (!refused.isEmpty()) {
      renewAt = System.nanoTime(); // to see whether the rest is still ours
    }
  }

  /** Renews all locks at once: the client must be told something of each record before it polls. */
  private void renew() {
    long since = System.nanoTime();
    held.values().forEach(loan -> client().acknowledge(loan.record(), AcknowledgeType.RENEW));
    Map<TopicPartition, String> refused = commit();
    for (ShareLoan loan : List.copyOf(held.values())) {
      String reason = refused.get(partition(loan));
      if (reason != null) {
        end(Place.of(loan.record()), reason);
      }
    }
    if (held.isEmpty()) {
      return;
    }
    locked(since);
    Set<Place> back = new HashSet<>();
    while (back.isEmpty() && isLocked() && !crew.isClosing()) {
      client().poll(POLL).forEach(record -> back.add(Place.of(record)));
    }
    for (Place place : List.copyOf(held.keySet())) {
      if (!back.contains(place)) {
        end(place, "its lock was not renewed");
      }
    }
  }

  /**
   * Sends what was acknowledged.
   *
   * @return the partitions where the broker did not do it, or did not say so, and why
   */
  private Map<TopicPartition, String> commit() {
    Map<TopicPartition, String> refused = new HashMap<>();
    client()
        .commitSync(ANSWER)
        .forEach(
            (partition, failure) ->
                failure.ifPresent(e -> refused.put(partition.topicPartition(), reason(e))));
    return refused;
  }

  private static String reason(KafkaException failure) {
    return "the broker did not take it: " + failure.getClass().getSimpleName();
  }

  private static TopicPartition partition(ShareLoan loan) {
    return new TopicPartition(loan.record().topic(), loan.record().partition());
  }

  private void end(Place place, @Nullable String refusal) {
    ShareLoan loan = held.remove(place);
    if (loan == null) {
      return;
    }
    if (refusal == null) {
      loan.done();
    } else {
      loan.end(refusal);
    }
    holding = !held.isEmpty();
    crew.free(1);
  }

  private KafkaShareConsumer<byte[], byte[]> client() {
    return Objects.requireNonNull(client, "client");
  }

  /** What is held goes back to the broker with the client's end. */
  private void leave() {
    ended = true;
    freeReserved();
    List.copyOf(held.keySet()).forEach(place -> end(place, "it was left to the broker"));
    List<ShareLoan> rest = new ArrayList<>();
    asked.drainTo(rest);
    rest.forEach(loan -> loan.end("its lock has ended"));
    if (client != null) {
      try {
        client.close(crew.timeToClose());
      } catch (RuntimeException e) {
        // Its session ends on the broker by itself, a little later.
      }
    }
  }

  /** Our clock says that the broker has taken the records back. */
  static final class LockLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LockLostException() {
      super("the locks of records in work have ended, as the broker did not renew them in time");
    }
  }
}
