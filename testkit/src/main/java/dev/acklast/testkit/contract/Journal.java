package dev.acklast.testkit.contract;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Keeps count of what the consumers of one case did. Thread-safe. */
final class Journal implements StepListener {
  private record Line(Event event, @Nullable String key) {}

  private final Map<Event, AtomicInteger> counts = new ConcurrentHashMap<>();
  private final Map<Line, AtomicInteger> byKey = new ConcurrentHashMap<>();

  @Override
  public void step(Event event, @Nullable String key) {
    counts.computeIfAbsent(event, e -> new AtomicInteger()).incrementAndGet();
    byKey.computeIfAbsent(new Line(event, key), l -> new AtomicInteger()).incrementAndGet();
  }

  int count(Event event) {
    AtomicInteger count = counts.get(event);
    return count == null ? 0 : count.get();
  }

  int count(Event event, String key) {
    AtomicInteger count = byKey.get(new Line(event, key));
    return count == null ? 0 : count.get();
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
