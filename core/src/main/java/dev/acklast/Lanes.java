package dev.acklast;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The consumer's threads: its lanes, which run the pipeline, and tending threads for all that must
 * happen by the clock. The only place in core that starts threads.
 */
final class Lanes<T> {
  private static final Logger log = LoggerFactory.getLogger(Lanes.class);
  private static final long LONGEST_TICK_MILLIS = 100;

  /** One watches over handlers, while the other may wait for the database. */
  private static final int TENDING_THREADS = 2;

  private final String consumer;
  private final int count;
  private final Duration handlerTimeout;
  private final MessagePipeline<T> pipeline;
  private final Tending tending;
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicInteger numbers = new AtomicInteger();

  /** Lanes that ended because too many handlers hang; owed as soon as one of those returns. */
  private final AtomicInteger owed = new AtomicInteger();

  Lanes(String consumer, ConsumerSettings.Flow flow, MessagePipeline<T> pipeline) {
    this.consumer = consumer;
    this.count = flow.concurrency();
    this.handlerTimeout = flow.handlerTimeout();
    this.pipeline = pipeline;
    this.tending =
        new Tending(
            Executors.newScheduledThreadPool(
                TENDING_THREADS, work -> thread("acklast-" + consumer + "-tending", work)));
  }

  /** Starts all lanes, and the watch over their handlers. */
  void start() {
    for (int i = 0; i < count; i++) {
      startLane(null);
    }
    long tick = Math.max(5, Math.min(LONGEST_TICK_MILLIS, handlerTimeout.toMillis() / 4));
    tending.every(Duration.ofMillis(tick), Duration.ofMillis(tick), this::watch);
  }

  /** For work by the clock; it must not block for long. */
  Tending tending() {
    return tending;
  }

  /** Whether this is the thread of a lane. */
  boolean isLane(Thread thread) {
    return lanes.stream().anyMatch(lane -> lane.thread == thread);
  }

  /** How many handlers hang beyond rescue, each with a thread of its own. */
  int hanging() {
    return hanging.get();
  }

  /** Whether so many handlers hang that lanes are no longer replaced. */
  boolean isExhausted() {
    return hanging.get() > count;
  }

  /** Interrupts all running handlers. */
  void cancelHandlers() {
    lanes.forEach(lane -> lane.guard.cancel());
  }

  /**
   * Waits for all lanes to end.
   *
   * @return whether they have
   */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    for (Lane lane : lanes) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      lane.thread.join(Math.max(1, left));
    }
    return lanes.stream().noneMatch(lane -> lane.thread.isAlive());
  }

  /** Takes the connections away from handlers that have not ended. */
  void giveUp() {
    lanes.forEach(lane -> lane.guard.giveUp());
  }

  /** Ends the tending threads. */
  void stop() {
    tending.end();
  }

  private void watch() {
    for (Lane lane : List.copyOf(lanes)) {
      RunGuard.Abandoned<T> abandoned = lane.guard.check();
      if (abandoned != null) {
        lanes.remove(lane);
        hanging.incrementAndGet();
        startLane(abandoned);
      }
    }
  }

  private void startLane(RunGuard.@Nullable Abandoned<T> inherited) {
    Lane lane = new Lane(inherited);
    lanes.add(lane);
    lane.thread.start();
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** One thread that takes messages through the pipeline until there are no more. */
  private final class Lane {
    private final RunGuard.@Nullable Abandoned<T> inherited;
    private final Thread thread;
    private final RunGuard<T> guard;

    private Lane(RunGuard.@Nullable Abandoned<T> inherited) {
      this.inherited = inherited;
      this.thread = thread("acklast-" + consumer + "-lane-" + numbers.incrementAndGet(), this::run);
      this.guard = new RunGuard<>(thread, handlerTimeout);
    }

    private void run() {
      try {
        if (inherited != null) {
          pipeline.takeOver(inherited, guard);
          if (isExhausted()) {
            log.error("{}: {} handlers hang; this lane is not replaced", consumer, hanging.get());
            owed.incrementAndGet();
            return;
          }
        }
        while (pipeline.turn(guard)) {
          Thread.interrupted(); // whoever left the flag set, it is not meant for the next turn
        }
      } catch (LaneAbandonedException e) {
        hanging.decrementAndGet();
        log.warn("{}: a handler that was given up has returned at last", consumer);
        if (owed.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
          startLane(null);
        }
      }
    }
  }
}
