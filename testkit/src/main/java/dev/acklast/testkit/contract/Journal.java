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
  private final AtomicInteger inHand = new AtomicInteger();
  private final AtomicInteger mostInHand = new AtomicInteger();

  @Override
  public void step(Event event, @Nullable String key) {
    counts.computeIfAbsent(event, e -> new AtomicInteger()).incrementAndGet();
    byKey.computeIfAbsent(new Line(event, key), l -> new AtomicInteger()).incrementAndGet();
    if (event == Event.RECEIVED) {
      mostInHand.accumulateAndGet(inHand.incrementAndGet(), Math::max);
    } else if (event == Event.SETTLED || event == Event.RELEASED) {
      inHand.decrementAndGet();
    }
  }

  int count(Event event) {
    AtomicInteger count = counts.get(event);
    return count == null ? 0 : count.get();
  }

  int count(Event event, String key) {
    AtomicInteger count = byKey.get(new Line(event, key));
    return count == null ? 0 : count.get();
  }

  /** The most deliveries that were received and not yet settled; right while nothing fails. */
  int mostInHand() {
    return mostInHand.get();
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
