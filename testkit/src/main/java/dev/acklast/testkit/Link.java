package dev.acklast.testkit;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One connection of one subscription, from connecting until it is cut. A settle belongs to the link
 * that its delivery came over. Guarded by the server's lock.
 */
final class Link {
  final InMemoryOptions options;
  private final int prefetch;
  private final Set<InFlight> unsettled = new HashSet<>();
  private boolean alive = true;

  Link(InMemoryOptions options, int prefetch) {
    this.options = options;
    this.prefetch = prefetch;
  }

  boolean alive() {
    return alive;
  }

  boolean hasRoom() {
    return unsettled.size() < prefetch;
  }

  void add(InFlight delivery) {
    unsettled.add(delivery);
  }

  void remove(InFlight delivery) {
    unsettled.remove(delivery);
  }

  /** Ends it, and says what was still unsettled. */
  Set<InFlight> cut() {
    alive = false;
    Set<InFlight> left = new HashSet<>(unsettled);
    unsettled.clear();
    return left;
  }

  /** Whether this link may be given the key: order needs that nobody else has it. */
  boolean mayHave(@Nullable String orderingKey, Iterable<InFlight> inFlight) {
    if (!options.ordered() || orderingKey == null) {
      return true;
    }
    for (InFlight other : inFlight) {
      if (other.link != this && orderingKey.equals(other.message.content().orderingKey())) {
        return false;
      }
    }
    return true;
  }
}
