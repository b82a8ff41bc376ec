package dev.acklast.kafka;

import dev.acklast.spi.TroubleLog;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * Commits what is done, one commit at a time so that none overtakes another, and again if it
 * failed. For the polling thread, on which the client calls back too.
 */
final class Commits {
  private static final long EVERY = Duration.ofSeconds(1).toNanos();

  private final Consumer<?, ?> consumer;
  private final TroubleLog log;
  private boolean underWay;
  private boolean failed;
  private long lastNanos = System.nanoTime();
  private volatile @Nullable String trouble;

  Commits(Consumer<?, ?> consumer, TroubleLog log) {
    this.consumer = consumer;
    this.log = log;
  }

  /** Why offsets cannot be committed; null if they can. */
  @Nullable String trouble() {
    return trouble;
  }

  /** Commits if it is time, or sooner if more could be handed over then. */
  void tick(Collection<Assignment> assignments) {
    boolean due = System.nanoTime() - lastNanos > EVERY;
    boolean urgent = !failed && assignments.stream().anyMatch(Assignment::needsCommit);
    if (underWay || !(due || urgent)) {
      return;
    }
    Map<Assignment, OffsetAndMetadata> offsets = collect(assignments, Assignment::progress);
    lastNanos = System.nanoTime();
    if (!offsets.isEmpty()) {
      underWay = true;
      consumer.commitAsync(byPartition(offsets), (sent, failure) -> answered(offsets, failure));
    }
  }

  private void answered(Map<Assignment, OffsetAndMetadata> offsets, @Nullable Exception failure) {
    underWay = false;
    failed = failure != null;
    if (failure == null) {
      offsets.forEach((assignment, offset) -> assignment.committed(offset.offset()));
      trouble = null;
      log.mended("commit", "offsets are committed again");
      return;
    }
    String sentence = "offsets are not committed, and tried again: " + failure.getMessage();
    trouble = failure instanceof AuthorizationException ? sentence : trouble;
    log.trouble("commit", sentence, null);
  }

  /** Commits and waits for the answer; what the client throws is thrown. */
  void now(Map<Assignment, OffsetAndMetadata> offsets, Duration limit) {
    if (!offsets.isEmpty()) {
      consumer.commitSync(byPartition(offsets), limit);
      offsets.forEach((assignment, offset) -> assignment.committed(offset.offset()));
    }
  }

  static Map<Assignment, OffsetAndMetadata> collect(
      Collection<Assignment> assignments, Function<Assignment, @Nullable OffsetAndMetadata> which) {
    Map<Assignment, OffsetAndMetadata> offsets = new HashMap<>();
    for (Assignment assignment : assignments) {
      OffsetAndMetadata offset = which.apply(assignment);
      if (offset != null) {
        offsets.put(assignment, offset);
      }
    }
    return offsets;
  }

  private static Map<TopicPartition, OffsetAndMetadata> byPartition(
      Map<Assignment, OffsetAndMetadata> offsets) {
    Map<TopicPartition, OffsetAndMetadata> all = new HashMap<>();
    offsets.forEach((assignment, offset) -> all.put(assignment.partition(), offset));
    return all;
  }
}
