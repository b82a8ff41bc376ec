package dev.acklast;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is to be done with the messages of a transaction that did not commit. For one thread. */
final class Aftermath<T> {
  /** Batches to run again at once, in this order. */
  final Deque<List<InFlight<T>>> again = new ArrayDeque<>();

  /** Not their time: uncounted, to be taken again when the gate is open. */
  final List<InFlight<T>> putBack = new ArrayList<>();

  /** Uncounted, after a while. */
  final Map<InFlight<T>, Duration> later = new LinkedHashMap<>();

  /** Their run was a failed attempt. */
  final Map<InFlight<T>, Throwable> failed = new LinkedHashMap<>();

  /** Have an outcome that was decided before this turn: to be dead-lettered. */
  final List<InFlight<T>> doomed = new ArrayList<>();

  void again(List<InFlight<T>> batch) {
    if (!batch.isEmpty()) {
      again.add(batch);
    }
  }

  /** Each in a transaction of its own from now on. */
  void alone(Collection<InFlight<T>> messages) {
    for (InFlight<T> message : messages) {
      message.alone = true;
      again.add(List.of(message));
    }
  }
}
