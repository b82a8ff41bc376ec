package dev.acklast;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work by the clock. A task that throws is logged and runs again at its next time: a fault must not
 * end a watch silently. After the end of the consumer, tasks are dropped. Thread-safe.
 */
final class Tending {
  private static final Logger log = LoggerFactory.getLogger(Tending.class);

  private final ScheduledExecutorService threads;

  Tending(ScheduledExecutorService threads) {
    this.threads = threads;
  }

  void every(Duration first, Duration pause, Runnable task) {
    schedule(
        () ->
            threads.scheduleWithFixedDelay(
                guarded(task), first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS));
  }

  void after(Duration delay, Runnable task) {
    schedule(() -> threads.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS));
  }

  void end() {
    threads.shutdownNow();
  }

  private static void schedule(Scheduling scheduling) {
    try {
      ScheduledFuture<?> unused = scheduling.schedule();
    } catch (RejectedExecutionException e) {
      log.debug("A task came after the end of its consumer");
    }
  }

  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        log.error("A fault in Acklast itself; the task runs again at its next time", e);
      }
    };
  }

  private interface Scheduling {
    @Nullable ScheduledFuture<?> schedule();
  }
}
