package dev.acklast.testkit;

import dev.acklast.spi.Envelope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One queue: what is ready, and what consumers have. Guarded by the server's lock. */
final class MemoryQueue {
  final String name;
  private final TreeSet<QueuedMessage> ready =
      new TreeSet<>(Comparator.comparingLong(QueuedMessage::place));
  private final Set<InFlight> unsettled = new LinkedHashSet<>();
  private QueueFault fault = QueueFault.NONE;

  MemoryQueue(String name) {
    this.name = name;
  }

  QueueFault fault() {
    return fault;
  }

  void fault(QueueFault fault) {
    this.fault = fault;
  }

  void add(QueuedMessage message) {
    ready.add(message);
  }

  /** The first message that this link may have, now in flight on it; null if there is none. */
  @Nullable InFlight take(Link link, long now) {
    for (QueuedMessage message : ready) {
      if (link.mayHave(message.content().orderingKey(), unsettled)) {
        ready.remove(message);
        var lease = link.options.lease();
        Long leaseEnds = lease == null ? null : now + lease.toNanos();
        InFlight delivery = new InFlight(message, this, link, leaseEnds);
        unsettled.add(delivery);
        link.add(delivery);
        return delivery;
      }
    }
    return null;
  }

  /** It is off this queue, or goes elsewhere. */
  void end(InFlight delivery) {
    delivery.markSettled();
    unsettled.remove(delivery);
    delivery.link.remove(delivery);
  }

  /** It goes back to where it stood. */
  void giveBack(InFlight delivery) {
    end(delivery);
    ready.add(delivery.message);
  }

  /** Takes back what was held too long; says whether there was any. */
  boolean expireLeases(long now) {
    List<InFlight> ended = unsettled.stream().filter(d -> d.leaseEnded(now)).toList();
    ended.forEach(this::giveBack);
    return !ended.isEmpty();
  }

  /** The queue is deleted: nothing of it can be settled any more. */
  void drop() {
    List.copyOf(unsettled).forEach(this::end);
    ready.clear();
  }

  /** Nanoseconds until the next lease ends. */
  long nextExpiry(long now) {
    return unsettled.stream().mapToLong(d -> d.leaseLeft(now)).min().orElse(Long.MAX_VALUE);
  }

  void suspectAll() {
    List<QueuedMessage> all = List.copyOf(ready);
    ready.clear();
    all.forEach(message -> ready.add(message.suspect()));
  }

  void purge() {
    ready.clear();
  }

  int readyCount() {
    return ready.size();
  }

  int unsettledCount() {
    return unsettled.size();
  }

  List<Envelope> contents() {
    List<Envelope> all = new ArrayList<>();
    ready.forEach(message -> all.add(message.toEnvelope(name)));
    return all;
  }
}
