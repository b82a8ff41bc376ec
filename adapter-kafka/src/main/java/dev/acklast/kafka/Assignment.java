package dev.acklast.kafka;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One partition from one assignment to its end: what was read of it, what was handed over, and what
 * is done. When the partition comes back, that is another assignment, so a settle of this one
 * cannot touch it. Lanes settle while the polling thread does all the rest. Thread-safe.
 */
final class Assignment {
  private static final String GONE = "the partition is no longer ours";
  private static final long RELEASE_NANOS = Duration.ofMillis(20).toNanos();

  private final TopicPartition partition;
  private final Options options;
  private final Held held;
  private final NavigableMap<Long, Item> undone = new TreeMap<>();
  private final NavigableMap<Long, Item> waiting = new TreeMap<>();
  private OffsetAndMetadata next = new OffsetAndMetadata(0);
  private long committed;
  private long committedNanos;
  private long suspectEnd;
  private long handedEnd;
  private long releasedNanos;
  private int inWork;
  private boolean open;
  private @Nullable String standstill;
  private volatile boolean live = true;

  Assignment(TopicPartition partition, Options options, Held held) {
    this.partition = partition;
    this.options = options;
    this.held = held;
  }

  /** A record that is not done. */
  private static final class Item {
    final ConsumerRecord<byte[], byte[]> record;
    final long bytes;
    @Nullable RecordAcker acker;

    Item(ConsumerRecord<byte[], byte[]> record) {
      this.record = record;
      this.bytes = Records.bytes(record);
    }
  }

  TopicPartition partition() {
    return partition;
  }

  /** Whether the record came from this partition, in whichever assignment. */
  boolean isOrigin(Envelope envelope) {
    return envelope.source().equals(partition.topic())
        && envelope.position().startsWith(partition.partition() + ":");
  }

  boolean isLive() {
    return live;
  }

  synchronized boolean isOpen() {
    return open;
  }

  /** Where it will begin, and the first offset that nobody was handed before. */
  synchronized void beginAt(OffsetAndMetadata start, long firstUnhanded) {
    next = start;
    suspectEnd = firstUnhanded;
  }

  /** That offset is committed with an open note: records may be read and handed over now. */
  synchronized void open() {
    open = true;
  }

  /** Stands still, and why; null if not. */
  synchronized @Nullable String standstill() {
    return standstill;
  }

  synchronized void standStill(String why) {
    standstill = why;
  }

  /** Where it reads on, past records that no longer exist. */
  synchronized void skipTo(long offset) {
    next = new OffsetAndMetadata(offset);
    committed = Math.min(committed, offset); // a topic that was cut begins below it
  }

  /** Takes what was read; {@code following} is past aborted, compacted and control records too. */
  synchronized void read(
      List<ConsumerRecord<byte[], byte[]>> records, OffsetAndMetadata following) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      Item item = new Item(record);
      undone.put(record.offset(), item);
      waiting.put(record.offset(), item);
      held.add(item.bytes);
    }
    next = following;
  }

  synchronized int waiting() {
    return waiting.size();
  }

  /** The next record to be handed over, if there is one and the bounds allow it. */
  synchronized @Nullable Delivery handOver(DeadLetters deadLetters) {
    boolean settling = System.nanoTime() - releasedNanos < RELEASE_NANOS && releasedNanos != 0;
    if (waiting.isEmpty() || settling || isAtBound() || !held.takePlace()) {
      return null;
    }
    Item item = waiting.pollFirstEntry().getValue();
    RecordAcker acker = new RecordAcker(this, item.record, deadLetters);
    long offset = item.record.offset();
    RedeliveryHint hint = offset < suspectEnd ? RedeliveryHint.SUSPECT : RedeliveryHint.FIRST;
    item.acker = acker;
    inWork++;
    handedEnd = Math.max(handedEnd, offset + 1);
    boolean skip = item.record.value() == null && !options.deliversTombstones();
    return new Delivery(Records.envelope(item.record).hint(hint).toSkip(skip).build(), acker);
  }

  private boolean isAtBound() {
    return !waiting.isEmpty() && waiting.firstKey() >= committed + options.limits().span();
  }

  // ---- settling, on any thread

  SettleResult ack(RecordAcker acker) {
    return end(acker, false);
  }

  SettleResult release(RecordAcker acker) {
    return end(acker, true);
  }

  private synchronized SettleResult end(RecordAcker acker, boolean again) {
    Item item = live ? undone.get(acker.offset()) : null;
    if (item == null || item.acker != acker) {
      return SettleResult.late(live ? "it is settled already" : GONE);
    }
    item.acker = null;
    inWork--;
    if (again) {
      waiting.put(acker.offset(), item);
      suspectEnd = Math.max(suspectEnd, acker.offset() + 1);
      releasedNanos = System.nanoTime();
    } else {
      undone.remove(acker.offset());
      held.remove(item.bytes);
    }
    held.freePlace();
    return SettleResult.done();
  }

  /** Whether deliveries of it are handed over and not settled. */
  synchronized boolean isInWork() {
    return inWork > 0;
  }

  /** No longer ours: whatever is settled from now on is late. */
  synchronized void drop() {
    if (live) {
      live = false;
      undone.values().forEach(item -> held.remove(item.bytes));
      for (int i = 0; i < inWork; i++) {
        held.freePlace();
      }
      undone.clear();
      waiting.clear();
      inWork = 0;
    }
  }

  // ---- committing, on the polling thread

  /** What is done without a gap ends here. */
  private OffsetAndMetadata done() {
    if (undone.isEmpty()) {
      return next;
    }
    ConsumerRecord<byte[], byte[]> first = undone.firstEntry().getValue().record;
    return new OffsetAndMetadata(first.offset(), first.leaderEpoch(), "");
  }

  /** What a commit would say now; null if it is not open or has nothing new to say. */
  synchronized @Nullable OffsetAndMetadata progress() {
    OffsetAndMetadata done = done();
    long idle = System.nanoTime() - committedNanos;
    boolean old = idle > options.limits().renewal().toNanos();
    return open && (done.offset() > committed || old) ? openNote(done) : null;
  }

  /** An offset with the note that its owner is at work. */
  OffsetAndMetadata openNote(OffsetAndMetadata at) {
    return noted(at, at.offset() + options.limits().span());
  }

  /** The last word of this assignment; null if it never came to anything. */
  synchronized @Nullable OffsetAndMetadata farewell() {
    return open ? noted(done(), handedEnd) : null;
  }

  private synchronized OffsetAndMetadata noted(OffsetAndMetadata at, long end) {
    String note = OwnerNote.text(at.offset(), Math.max(end, suspectEnd));
    return new OffsetAndMetadata(at.offset(), at.leaderEpoch(), note);
  }

  /** The broker has it. */
  synchronized void committed(long offset) {
    committed = Math.max(committed, offset);
    committedNanos = System.nanoTime();
  }

  /** Whether a commit now would let more be handed over. */
  synchronized boolean needsCommit() {
    return done().offset() - committed > options.limits().span() / 4 || isAtBound();
  }

  /** The record that holds up all others; nothing unless it does. */
  synchronized Optional<String> heldUp() {
    if (!open || !isAtBound() || undone.isEmpty() || undone.firstKey() > committed) {
      return Optional.empty();
    }
    return Optional.of(
        partition
            + " waits: its record at offset "
            + undone.firstKey()
            + " is not settled, and "
            + options.limits().span()
            + " offsets past it nothing more is handed over (see span)");
  }
}
