package dev.acklast.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Looks at a group's committed offsets again and again: none may ever go back. */
final class OffsetWatch {
  private final Admin admin;
  private final String group;
  private final Map<TopicPartition, Long> highest = new ConcurrentHashMap<>();
  private final List<String> stepsBack = new CopyOnWriteArrayList<>();

  OffsetWatch(Admin admin, String group) {
    this.admin = admin;
    this.group = group;
  }

  void look() {
    try {
      Map<TopicPartition, OffsetAndMetadata> found =
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      found.forEach(this::see);
    } catch (ExecutionException e) {
      // no such group yet
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void see(TopicPartition partition, OffsetAndMetadata committed) {
    Long before = highest.merge(partition, committed.offset(), Math::max);
    if (before > committed.offset()) {
      stepsBack.add(partition + " from " + before + " to " + committed.offset());
    }
  }

  long sum() {
    return highest.values().stream().mapToLong(Long::longValue).sum();
  }

  List<String> stepsBack() {
    return stepsBack;
  }
}
