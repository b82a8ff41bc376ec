package dev.acklast.sqs;

import dev.acklast.spi.TroubleLog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All messages of one queue that are lent to us and not settled, and what settles them. Keeps their
 * leases. Thread-safe.
 */
final class Held {
  private final QueueLink link;
  private final DeadLetters deadLetters;
  private final Duration visibility;
  private final Polling polling;
  private final TroubleLog log;
  private final Retries retries = new Retries();
  private final Set<SqsAcker> ackers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger losses = new AtomicInteger();

  /** What settles messages. */
  record Parts(QueueLink link, DeadLetters deadLetters) {}

  Held(Parts parts, Duration visibility, Polling polling, TroubleLog log) {
    this.link = parts.link();
    this.deadLetters = parts.deadLetters();
    this.visibility = visibility;
    this.polling = polling;
    this.log = log;
  }

  QueueLink link() {
    return link;
  }

  DeadLetters deadLetters() {
    return deadLetters;
  }

  Duration visibility() {
    return visibility;
  }

  Retries retries() {
    return retries;
  }

  void add(SqsAcker acker) {
    ackers.add(acker);
  }

  /** It is settled, or nobody's business any more. */
  void over(SqsAcker acker) {
    if (ackers.remove(acker)) {
      polling.settled();
    }
  }

  /** Its time has ended without our doing. */
  void lost(SqsAcker acker) {
    losses.incrementAndGet();
    over(acker);
  }

  /** Looks after the leases: extends those that need it, drops those that have ended. */
  void tend() {
    if (ackers.isEmpty()) {
      link.idle();
    }
    long now = System.nanoTime();
    ackers.forEach(acker -> acker.tend(now));
    int lost = losses.getAndSet(0);
    if (lost > 0) {
      log.trouble(
          "lease",
          lost
              + " messages were not extended in time, and SQS delivers them again: if no outage"
              + " explains that, raise visibilityTimeout",
          null);
    }
  }

  /** Gives back all that is left: others need not wait for the end of its time. */
  void giveBackAll() {
    ackers.forEach(SqsAcker::abandon);
  }
}
