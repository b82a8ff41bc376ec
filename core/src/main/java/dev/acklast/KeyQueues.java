package dev.acklast;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets one message per key through and lines the others up behind it. Not thread-safe: {@link
 * Intake} guards it with its lock.
 */
final class KeyQueues<T> {
  private final Map<String, Deque<InFlight<T>>> waitingByKey = new HashMap<>();

  /** Takes the key for this message, or lines it up behind the one that has it. */
  boolean enter(String key, InFlight<T> message) {
    Deque<InFlight<T>> line = waitingByKey.get(key);
    if (line == null) {
      waitingByKey.put(key, new ArrayDeque<>(2));
      return true;
    }
    line.add(message);
    return false;
  }

  /** Gives the key to the next in line, which then holds it; null if there is none. */
  @Nullable InFlight<T> next(String key) {
    Deque<InFlight<T>> line = waitingByKey.get(key);
    InFlight<T> next = line == null ? null : line.poll();
    if (next == null) {
      waitingByKey.remove(key);
    }
    return next;
  }

  /** All that stand in line, for a moment's look. */
  List<InFlight<T>> lined() {
    List<InFlight<T>> all = new ArrayList<>();
    waitingByKey.values().forEach(all::addAll);
    return all;
  }

  /** Takes one out of its line. */
  boolean remove(String key, InFlight<T> message) {
    Deque<InFlight<T>> line = waitingByKey.get(key);
    return line != null && line.remove(message);
  }
}
