package dev.acklast.servers;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The faults that a {@link TcpProxy} is told to make, shared by its connections. Thread-safe. */
final class ProxyFaults {

  /** Which way bytes flow. */
  enum Direction {
    REQUEST,
    RESPONSE
  }

  /** How many bytes may pass, and whether the connection ends after them. */
  record Allowance(int bytes, boolean last) {}

  /** One request as read from a client in one piece. */
  static final class Request {
    private final byte[] bytes;
    private final boolean commits;

    Request(byte[] bytes, boolean commits) {
      this.bytes = bytes;
      this.commits = commits;
    }

    byte[] bytes() {
      return bytes;
    }

    /** Whether a PostgreSQL COMMIT is in it. */
    boolean commits() {
      return commits;
    }
  }

  /**
   * A fault that waits for a request.
   *
   * @param action run before the request is forwarded
   * @param fault made then, if any
   * @param done completed when both have happened
   */
  record Armed(
      Predicate<Request> matcher,
      Runnable action,
      @Nullable RequestFault fault,
      CompletableFuture<Void> done) {

    void act() {
      try {
        action.run();
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
        throw e;
      }
    }
  }

  private final Set<Direction> held = EnumSet.noneOf(Direction.class);
  private final Map<Direction, Long> budgets = new EnumMap<>(Direction.class);
  private final List<Armed> armed = new ArrayList<>();
  private long latencyMillis;

  synchronized void hold(Direction direction, boolean on) {
    if (on) {
      held.add(direction);
    } else {
      held.remove(direction);
    }
    notifyAll();
  }

  synchronized void budget(Direction direction, long bytes) {
    budgets.put(direction, bytes);
  }

  synchronized void latency(long millis) {
    latencyMillis = millis;
  }

  CompletableFuture<Void> arm(Predicate<Request> matcher, RequestFault fault) {
    return arm(new Armed(matcher, () -> {}, fault, new CompletableFuture<>()));
  }

  CompletableFuture<Void> arm(Predicate<Request> matcher, Runnable action) {
    return arm(new Armed(matcher, action, null, new CompletableFuture<>()));
  }

  private synchronized CompletableFuture<Void> arm(Armed fault) {
    armed.add(fault);
    return fault.done();
  }

  /** Wakes those who wait, so that they see that their connection was cut. */
  synchronized void wake() {
    notifyAll();
  }

  /** Waits out the latency and any black hole, unless the connection ends meanwhile. */
  void awaitPassage(Direction direction, ProxyConnection connection) throws InterruptedException {
    long delay;
    synchronized (this) {
      delay = latencyMillis;
    }
    if (delay > 0) {
      Thread.sleep(delay);
    }
    synchronized (this) {
      while (held.contains(direction) && !connection.isCut()) {
        wait();
      }
    }
  }

  /**
   * Takes bytes out of the budget that was set for a direction.
   *
   * @return how many may pass and whether the connection is to be cut after them
   */
  synchronized Allowance take(Direction direction, int bytes) {
    Long budget = budgets.get(direction);
    if (budget == null) {
      return new Allowance(bytes, false);
    }
    if (budget > bytes) {
      budgets.put(direction, budget - bytes);
      return new Allowance(bytes, false);
    }
    budgets.remove(direction);
    return new Allowance(budget.intValue(), true);
  }

  /** The first waiting fault that the request matches; it waits no more. */
  synchronized @Nullable Armed match(Request request) {
    for (Iterator<Armed> faults = armed.iterator(); faults.hasNext(); ) {
      Armed fault = faults.next();
      if (fault.matcher().test(request)) {
        faults.remove();
        return fault;
      }
    }
    return null;
  }
}
