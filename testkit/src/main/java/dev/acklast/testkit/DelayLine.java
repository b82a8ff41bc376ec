package dev.acklast.testkit;

import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.function.BiPredicate;

/**
 * Messages that wait for their retry, outside of their queue: they outlast its deletion, and wait
 * on while it is missing or full. Guarded by the server's lock.
 */
final class DelayLine {
  private record Waiting(String queue, QueuedMessage message, long due) {}

  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::due));

  void add(String queue, QueuedMessage message, long due) {
    waiting.add(new Waiting(queue, message, due));
  }

  /** Offers all that is due, in the order of their due times; what is not taken waits on. */
  void offerDue(long now, BiPredicate<String, QueuedMessage> taker) {
    // A heap's iteration is unordered, so what is due is sorted before it is offered.
    var due = waiting.stream().filter(w -> now - w.due() >= 0);
    Iterator<Waiting> sorted = due.sorted(Comparator.comparingLong(Waiting::due)).iterator();
    while (sorted.hasNext()) {
      Waiting next = sorted.next();
      if (taker.test(next.queue(), next.message())) {
        waiting.remove(next);
      }
    }
  }

  /**
   * Nanoseconds until the next is due; those that are overdue wait for their queue, not for time.
   */
  long nextDue(long now) {
    return waiting.stream()
        .mapToLong(w -> w.due() - now)
        .filter(left -> left > 0)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  int count(String queue) {
    return (int) waiting.stream().filter(w -> w.queue().equals(queue)).count();
  }
}
