package dev.acklast.sqs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All threads of one subscription. Calls to the service block, so each kind has threads of its own:
 * receives, settles and dead letters, and the extension of leases, which must never wait for the
 * others. {@code clock} only hands out work.
 */
final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
  private static final int SENDERS = 6;

  private final String prefix;
  private final ScheduledThreadPoolExecutor clock;
  private final ExecutorService polls;
  private final ExecutorService settles;
  private final ExecutorService leases;

  Workers(String consumer, int polls) {
    this.prefix = "acklast-sqs-" + consumer + "-";
    this.clock = new ScheduledThreadPoolExecutor(1, threads("clock"));
    this.clock.setRemoveOnCancelPolicy(true);
    this.polls = pool("poll", polls);
    this.settles = pool("settle", SENDERS);
    this.leases = pool("lease", SENDERS);
  }

  private ExecutorService pool(String role, int size) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size, size, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads(role));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private ThreadFactory threads(String role) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + role + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Whether it will be run: false once closed. The same goes for the others. */
  boolean poll(Runnable task) {
    return submit(() -> polls.execute(guarded(task)));
  }

  boolean settle(Runnable task) {
    return submit(() -> settles.execute(guarded(task)));
  }

  boolean lease(Runnable task) {
    return submit(() -> leases.execute(guarded(task)));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it throws is logged by guarded()
  boolean later(Runnable task, Duration delay) {
    return submit(() -> clock.schedule(guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it throws is logged by guarded()
  void every(Runnable task, Duration period) {
    submit(
        () ->
            clock.scheduleWithFixedDelay(
                guarded(task), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS));
  }

  /**
   * Takes no more work, and waits for what is under way until {@code end} on {@link
   * System#nanoTime}'s clock. Every call ends by itself within seconds.
   */
  void shutdown(long end) throws InterruptedException {
    clock.shutdownNow();
    List<ExecutorService> all = List.of(polls, settles, leases);
    all.forEach(ExecutorService::shutdown);
    for (ExecutorService one : all) {
      if (!one.awaitTermination(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        LOG.warn("A call of {} to SQS is under way after its close; it ends by itself", prefix);
      }
    }
  }

  /** Ends all threads, with what they do; but receives, which give back what they still get. */
  void shutdownNow() {
    clock.shutdownNow();
    polls.shutdown();
    settles.shutdownNow();
    leases.shutdownNow();
  }

  private static boolean submit(Runnable submission) {
    try {
      submission.run();
      return true;
    } catch (RejectedExecutionException e) {
      return false; // closed meanwhile: nothing is left to be done
    }
  }

  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.error("A step failed in a way that was not foreseen", e);
      }
    };
  }
}
