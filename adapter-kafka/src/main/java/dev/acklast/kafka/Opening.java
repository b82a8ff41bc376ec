package dev.acklast.kafka;

import dev.acklast.spi.Pacing;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Finds out where a partition was left, and commits the same offset with an open note before
 * anything of it is read. For the polling thread.
 */
final class Opening {
  private static final Duration LIMIT = Duration.ofMillis(2_500);

  private final Consumer<byte[], byte[]> consumer;
  private final Commits commits;
  private final GroupParts parts;
  private final StartOffsets startOffsets;
  private final Pacing pacing = new Pacing();
  private long notBefore = System.nanoTime();

  Opening(Consumer<byte[], byte[]> consumer, Commits commits, GroupParts parts) {
    this.consumer = consumer;
    this.commits = commits;
    this.parts = parts;
    this.startOffsets = new StartOffsets(parts.config().reset());
  }

  /** Opens what is not open yet; what fails is tried again. */
  void open(Collection<Assignment> assignments) {
    Map<TopicPartition, Assignment> fresh = new HashMap<>();
    for (Assignment assignment : assignments) {
      if (!assignment.isOpen() && assignment.standstill() == null) {
        fresh.put(assignment.partition(), assignment);
      }
    }
    if (fresh.isEmpty() || System.nanoTime() < notBefore) {
      return;
    }
    try {
      openAll(fresh);
      pacing.up();
    } catch (RetriableException | CommitFailedException | RebalanceInProgressException e) {
      parts.log().trouble("opening", "partitions cannot be opened yet", e);
      notBefore = System.nanoTime() + pacing.next().toNanos();
    }
  }

  private void openAll(Map<TopicPartition, Assignment> fresh) {
    Map<TopicPartition, OffsetAndMetadata> left = new HashMap<>();
    Set<TopicPartition> unknown = new HashSet<>(fresh.keySet());
    consumer
        .committed(fresh.keySet(), LIMIT)
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                left.put(partition, offset);
                unknown.remove(partition);
              }
            });
    Map<TopicPartition, Long> starts =
        unknown.isEmpty() ? Map.of() : startOffsets.of(consumer, unknown, LIMIT);
    Map<Assignment, OffsetAndMetadata> notes = new HashMap<>();
    fresh.forEach(
        (partition, assignment) -> {
          OffsetAndMetadata offset = left.get(partition);
          Long start = starts.get(partition);
          if (offset != null) {
            assignment.beginAt(offset, OwnerNote.end(offset, parts.options().limits().span()));
            notes.put(assignment, assignment.openNote(offset));
          } else if (start != null) {
            OffsetAndMetadata at = new OffsetAndMetadata(start);
            assignment.beginAt(at, start);
            notes.put(assignment, assignment.openNote(at));
          } else {
            assignment.standStill(noOffset(partition));
          }
        });
    commits.now(notes, LIMIT);
    notes.forEach(
        (assignment, note) -> {
          consumer.seek(
              assignment.partition(), new OffsetAndMetadata(note.offset(), note.leaderEpoch(), ""));
          assignment.open();
        });
    parts.log().mended("opening", "partitions are open");
  }

  private static String noOffset(TopicPartition partition) {
    return partition
        + " stands still: the group has no offset for it, and auto.offset.reset is none: set an"
        + " offset, or choose earliest or latest, and start again";
  }

  /** Records between where we read and what is there are gone: that is no silent matter. */
  void outOfRange(
      Map<TopicPartition, Assignment> assignments, Map<TopicPartition, Long> positions) {
    Set<TopicPartition> partitions = new HashSet<>(positions.keySet());
    partitions.retainAll(assignments.keySet());
    Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions, LIMIT);
    partitions.forEach(
        partition -> {
          Assignment assignment = assignments.get(partition);
          Long position = positions.get(partition);
          Long begin = first.get(partition);
          if (assignment != null && position != null && begin != null) {
            gap(assignment, position, begin);
          }
        });
  }

  private void gap(Assignment assignment, long position, long first) {
    String what = assignment.partition() + ": the records from offset " + position;
    what +=
        first > position
            ? " to " + (first - 1) + " were deleted before they were read"
            : " on are gone, as the topic was cut or made anew";
    if (!parts.options().acceptsGaps()) {
      assignment.standStill(
          what
              + ": it stands still; look into the loss, then set the group's offset, or choose"
              + " acceptGaps(), and start again");
      return;
    }
    parts.log().trouble("gap", what + ", which is accepted: it goes on at " + first, null);
    assignment.skipTo(first);
    consumer.seek(assignment.partition(), first);
  }
}
