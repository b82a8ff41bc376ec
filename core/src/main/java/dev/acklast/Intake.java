package dev.acklast;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All deliveries that core has and no lane is working on: waiting, parked until they are due, or
 * held back behind another message with the same key. Hands them to lanes in fair shares.
 * Thread-safe.
 */
final class Intake<T> implements ConsumerLoad {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<InFlight<T>> waiting = new ArrayDeque<>();
  private final PriorityQueue<InFlight<T>> parked =
      new PriorityQueue<>(Comparator.comparingLong(message -> message.dueNanos));
  private final KeyQueues<T> keys = new KeyQueues<>();
  private final KeyQueues<T> orderingKeys = new KeyQueues<>();
  private final int lanes;
  private int unsettled;
  private int busyLanes;
  private int openLanes;
  private boolean closed;

  Intake(int lanes) {
    this.lanes = lanes;
    this.openLanes = lanes;
  }

  /** A new delivery has arrived. */
  void arrived(InFlight<T> message) {
    withLock(
        () -> {
          unsettled++;
          waiting.add(message);
        });
  }

  /**
   * Waits for work, and takes a lane's share of it: what waits divided by the idle lanes, at most
   * {@code most}.
   *
   * @return empty only when the intake is closed
   */
  List<InFlight<T>> take(int most) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        if (closed) {
          return List.of();
        }
        unparkDue();
        if (!waiting.isEmpty() && busyLanes < openLanes) {
          return share(most);
        }
        awaitChange();
      }
    } finally {
      lock.unlock();
    }
  }

  private List<InFlight<T>> share(int most) {
    int idle = Math.max(1, openLanes - busyLanes);
    int share = Math.min(most, (waiting.size() + idle - 1) / idle);
    List<InFlight<T>> taken = new ArrayList<>(share);
    for (int i = 0; i < share; i++) {
      InFlight<T> message = waiting.remove();
      message.inHand = true;
      taken.add(message);
    }
    busyLanes++;
    return taken;
  }

  private void unparkDue() {
    long now = System.nanoTime();
    for (InFlight<T> due = parked.peek();
        due != null && due.dueNanos - now <= 0;
        due = parked.peek()) {
      parked.remove();
      waiting.add(due);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // take() loops
  private void awaitChange() throws InterruptedException {
    InFlight<T> next = parked.peek();
    if (next == null) {
      changed.await();
    } else {
      changed.awaitNanos(Math.max(1, next.dueNanos - System.nanoTime()));
    }
  }

  /** The lane that took a share is through with it. */
  void laneIsFree() {
    withLock(() -> busyLanes--);
  }

  /**
   * Reserves the message's keys for it, so that no two messages with one key are in work.
   *
   * @return false if another message has a key of it: it then stands in line and comes back by
   *     itself
   */
  boolean reserve(InFlight<T> message) {
    lock.lock();
    try {
      message.inHand = enterLines(message);
      return message.inHand;
    } finally {
      lock.unlock();
    }
  }

  private boolean enterLines(InFlight<T> message) {
    String ordering = message.orderingKey();
    if (ordering != null && !message.holdsOrderingKey) {
      message.holdsOrderingKey = orderingKeys.enter(ordering, message);
      if (!message.holdsOrderingKey) {
        return false;
      }
    }
    if (!message.holdsKey) {
      message.holdsKey = keys.enter(message.businessKey(), message);
    }
    return message.holdsKey;
  }

  /** The message's outcome is decided and its keys are free for others; it is not yet settled. */
  void finished(InFlight<T> message) {
    withLock(
        () -> {
          freeKey(message);
          freeOrderingKey(message);
        });
  }

  /** The message has been settled, or cannot be any more. */
  void settled(InFlight<T> message) {
    withLock(
        () -> {
          freeKey(message);
          freeOrderingKey(message);
          unsettled--;
        });
  }

  /** Keeps the message until its time has come. It goes on holding its ordering key. */
  void park(InFlight<T> message, Duration delay) {
    withLock(
        () -> {
          freeKey(message);
          message.dueNanos = System.nanoTime() + delay.toNanos();
          parked.add(message);
        });
  }

  /** The message was not started after all: it is the next to be taken. */
  void putBack(InFlight<T> message) {
    withLock(
        () -> {
          freeKey(message);
          waiting.addFirst(message);
        });
  }

  private void freeKey(InFlight<T> message) {
    message.inHand = false;
    if (message.holdsKey) {
      message.holdsKey = false;
      InFlight<T> next = keys.next(message.businessKey());
      if (next != null) {
        next.holdsKey = true;
        waiting.addFirst(next);
      }
    }
  }

  private void freeOrderingKey(InFlight<T> message) {
    String ordering = message.orderingKey();
    if (message.holdsOrderingKey && ordering != null) {
      message.holdsOrderingKey = false;
      InFlight<T> next = orderingKeys.next(ordering);
      if (next != null) {
        next.holdsOrderingKey = true;
        waiting.addFirst(next);
      }
    }
  }

  /** How many lanes may work at once: all, one (is the outage over?) or none. */
  void open(int laneCount) {
    withLock(() -> openLanes = Math.min(lanes, laneCount));
  }

  /** Ends the intake: lanes get nothing more. */
  void close() {
    withLock(() -> closed = true);
  }

  /** Takes out everything that no lane is working on and that matches; the caller settles it. */
  List<InFlight<T>> withdraw(Predicate<InFlight<T>> which) {
    lock.lock();
    try {
      List<InFlight<T>> out = new ArrayList<>();
      waiting.removeIf(message -> which.test(message) && out.add(message));
      parked.removeIf(message -> which.test(message) && out.add(message));
      withdrawLined(which, out);
      return out;
    } finally {
      lock.unlock();
    }
  }

  /** Whoever stands behind one that leaves must leave with it, or it would be overtaken. */
  private Predicate<InFlight<T>> behind(List<InFlight<T>> leaving) {
    Set<String> left = new HashSet<>();
    for (InFlight<T> message : leaving) {
      String ordering = message.orderingKey();
      if (ordering != null && message.holdsOrderingKey) {
        left.add(ordering);
      }
    }
    return message -> message.orderingKey() != null && left.contains(message.orderingKey());
  }

  private void withdrawLined(Predicate<InFlight<T>> which, List<InFlight<T>> out) {
    for (InFlight<T> message : keys.lined()) {
      if (which.test(message) && keys.remove(message.businessKey(), message)) {
        out.add(message);
      }
    }
    Predicate<InFlight<T>> leaves = which.or(behind(out));
    for (InFlight<T> message : orderingKeys.lined()) {
      String ordering = message.orderingKey();
      if (ordering != null && leaves.test(message) && orderingKeys.remove(ordering, message)) {
        out.add(message);
      }
    }
  }

  /**
   * Waits until everything is settled.
   *
   * @return whether it is
   */
  boolean awaitSettled(Duration timeout) throws InterruptedException {
    long nanos = timeout.toNanos();
    lock.lock();
    try {
      while (unsettled > 0 && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return unsettled == 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int unsettled() {
    return number(() -> unsettled);
  }

  @Override
  public int waiting() {
    return number(waiting::size);
  }

  @Override
  public int heldBack() {
    return number(() -> parked.size() + keys.lined().size() + orderingKeys.lined().size());
  }

  @Override
  public int busyLanes() {
    return number(() -> busyLanes);
  }

  private int number(IntSupplier supplier) {
    lock.lock();
    try {
      return supplier.getAsInt();
    } finally {
      lock.unlock();
    }
  }

  /** The parked message that is due first, for people; null if none is parked. */
  @Nullable String nextParked() {
    lock.lock();
    try {
      InFlight<T> next = parked.peek();
      return next == null ? null : next.toString();
    } finally {
      lock.unlock();
    }
  }

  private void withLock(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
