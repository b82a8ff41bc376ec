package dev.acklast.kafka;

import dev.acklast.spi.Acker;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What a member of a share group asks of the subscription that it works for. Thread-safe. */
interface ShareCrew {
  /** Whether records may be asked for. */
  boolean isOpen();

  /** Whether all is to be left to the broker now. */
  boolean isClosing();

  /** How long a member may take to close. */
  Duration timeToClose();

  /** Waits a moment for room for so many records. */
  boolean reserve(int records);

  /** Gives room back. */
  void free(int records);

  /** The epochs of the leaders of these partitions, as of now; none where they cannot be had. */
  Map<TopicPartition, Integer> leaderEpochs(Set<TopicPartition> partitions);

  /**
   * Hands a record over, unless the intake has ended.
   *
   * @param count its deliveries so far, this one included; null if that cannot be relied on
   */
  boolean deliver(ConsumerRecord<byte[], byte[]> record, @Nullable Integer count, Acker acker);

  /** What the member does works. */
  void up();

  /** Whether a member that finds nothing to do may end. */
  boolean maySpare();

  /** The member has ended, and why; null if it was to. */
  void ended(ShareMember member, @Nullable Throwable failure);
}
