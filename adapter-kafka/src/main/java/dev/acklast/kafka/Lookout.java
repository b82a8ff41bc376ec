package dev.acklast.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * Asks again and again whether the broker answers and the topics are there: the consuming client
 * itself keeps quiet about both. Thread-safe.
 */
final class Lookout {
  private static final long EVERY = Duration.ofSeconds(2).toNanos();
  private static final int FAILURES = 2;

  private final Topics topics;
  private final List<String> names;
  private Map<String, Uuid> found = Map.of();
  private @Nullable Throwable failure;
  private int failures;
  private boolean asking;
  private long lastNanos = System.nanoTime();

  Lookout(Topics topics, List<String> names) {
    this.topics = topics;
    this.names = names;
  }

  /** Asks, if it is time. */
  void tick() {
    synchronized (this) {
      if (asking || System.nanoTime() - lastNanos < EVERY) {
        return;
      }
      asking = true;
    }
    topics.find(names).whenComplete(this::answered);
  }

  synchronized void answered(
      @Nullable Map<String, TopicDescription> answer, @Nullable Throwable why) {
    asking = false;
    lastNanos = System.nanoTime();
    failures = why == null ? 0 : failures + 1;
    failure = why;
    if (answer != null) {
      found = new TreeMap<>();
      answer.forEach((name, topic) -> found.put(name, topic.topicId()));
    }
  }

  /** The topics that were there when last seen, each with the id that it keeps until deleted. */
  synchronized Map<String, Uuid> found() {
    return Map.copyOf(found);
  }

  /** Why it cannot look; null if it can, or failed only once. */
  synchronized @Nullable Throwable failure() {
    return failures >= FAILURES ? failure : null;
  }
}
