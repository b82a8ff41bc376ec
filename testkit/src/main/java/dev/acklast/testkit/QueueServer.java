package dev.acklast.testkit;

import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The broker's part: queues, who has what, and the faults that tests ask for. Thread-safe: one lock
 * guards it all, and nothing foreign is called while it is held.
 */
final class QueueServer {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, MemoryQueue> queues = new LinkedHashMap<>();
  private final Set<Link> links = new HashSet<>();
  private final DelayLine delays = new DelayLine();
  private final List<Runnable> heldUp = new ArrayList<>();
  private boolean up = true;
  private boolean frozen;
  private long places;

  /** Looks at something under the lock. */
  <R> R read(Supplier<R> action) {
    lock.lock();
    try {
      if (catchUp()) {
        changed.signalAll();
      }
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** Changes something under the lock, and tells all who wait. */
  <R> R change(Supplier<R> action) {
    lock.lock();
    try {
      catchUp();
      return action.get();
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  void run(Runnable action) {
    change(
        () -> {
          action.run();
          return true;
        });
  }

  /**
   * Waits until {@code attempt} gives a result, at most for {@code longest}. Tries again whenever
   * something changes, and when a delay or a lease ends.
   *
   * @return null if the time is over or the thread was interrupted
   */
  <R> @Nullable R await(Duration longest, Supplier<@Nullable R> attempt) {
    long end = System.nanoTime() + longest.toNanos();
    lock.lock();
    try {
      while (true) {
        if (catchUp()) {
          changed.signalAll();
        }
        R result = attempt.get();
        long now = System.nanoTime();
        if (result != null || end - now <= 0) {
          return result;
        }
        changed.awaitNanos(Math.min(end - now, nextEvent(now)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } finally {
      lock.unlock();
    }
  }

  // What follows is called under the lock only.

  boolean isUp() {
    return up;
  }

  @Nullable MemoryQueue find(String queue) {
    return queues.get(queue);
  }

  MemoryQueue require(String queue) {
    MemoryQueue found = queues.get(queue);
    if (found == null) {
      throw new IllegalArgumentException("there is no queue " + queue + "; create it first");
    }
    return found;
  }

  void create(String queue) {
    queues.computeIfAbsent(queue, MemoryQueue::new);
  }

  /** Ends a queue and all that is in it; what waits for a retry is elsewhere and stays. */
  void delete(String queue) {
    MemoryQueue removed = queues.remove(queue);
    if (removed != null) {
      removed.drop();
    }
  }

  int delayed(String queue) {
    return delays.count(queue);
  }

  /** Why the queue does not take a publish, or null if it took it. */
  @Nullable String publish(String queue, Envelope message) {
    MemoryQueue target = queues.get(queue);
    if (!up) {
      return "the broker is down";
    }
    if (target == null) {
      return "there is no queue " + queue + "; create it";
    }
    if (target.fault() != QueueFault.NONE) {
      return "queue " + queue + " is " + target.fault();
    }
    target.add(new QueuedMessage(message, places++, 0, RedeliveryHint.FIRST));
    return null;
  }

  void delay(InFlight delivery, Duration delay) {
    delivery.queue.end(delivery);
    long due = System.nanoTime() + delay.toNanos();
    delays.add(delivery.queue.name, delivery.message, due);
  }

  void add(Link link) {
    links.add(link);
  }

  /** Ends a connection: what was unsettled goes back, and nobody knows what became of it. */
  void cut(Link link) {
    links.remove(link);
    link.cut().forEach(delivery -> delivery.queue.giveBack(delivery));
  }

  void cutAll() {
    Set.copyOf(links).forEach(this::cut);
  }

  void up(boolean up) {
    this.up = up;
    if (!up) {
      cutAll();
    }
  }

  void suspectAll() {
    queues.values().forEach(MemoryQueue::suspectAll);
  }

  boolean isFrozen() {
    return frozen;
  }

  void freeze() {
    frozen = true;
  }

  void thaw() {
    frozen = false;
    List<Runnable> late = List.copyOf(heldUp);
    heldUp.clear();
    late.forEach(Runnable::run);
  }

  /** Settles a delivery if it is still its consumer's; a frozen broker answers when it thaws. */
  CompletionStage<SettleResult> settle(InFlight delivery, Function<InFlight, SettleResult> how) {
    CompletableFuture<SettleResult> answer = new CompletableFuture<>();
    if (frozen) {
      heldUp.add(() -> answer.completeAsync(() -> change(() -> settleNow(delivery, how))));
    } else {
      answer.complete(settleNow(delivery, how));
    }
    return answer;
  }

  private static SettleResult settleNow(InFlight delivery, Function<InFlight, SettleResult> how) {
    String late = delivery.lateReason(System.nanoTime());
    return late == null ? how.apply(delivery) : SettleResult.late(late);
  }

  /** Ends leases and delays whose time has come; says whether there were any. */
  private boolean catchUp() {
    if (!up) {
      return false;
    }
    long now = System.nanoTime();
    long before = places;
    boolean expired = false;
    for (MemoryQueue queue : queues.values()) {
      expired |= queue.expireLeases(now);
    }
    delays.offerDue(now, this::arrive);
    return expired || places != before;
  }

  private boolean arrive(String queue, QueuedMessage message) {
    MemoryQueue target = queues.get(queue);
    if (target == null || target.fault() != QueueFault.NONE) {
      return false;
    }
    target.add(message.retried(places++));
    return true;
  }

  private long nextEvent(long now) {
    long next = Math.min(delays.nextDue(now), TimeUnit.SECONDS.toNanos(1));
    for (MemoryQueue queue : queues.values()) {
      next = Math.min(next, queue.nextExpiry(now));
    }
    return Math.max(next, 1);
  }
}
