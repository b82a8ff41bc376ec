package dev.acklast.rabbitmq;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All threads of one subscription; the client's own come from {@link #threads} too. One thread
 * each: to connect and to consume ({@code control}), for the client's callbacks ({@code
 * deliveries}), to send copies ({@code publishing}), and to tell core what became of them ({@code
 * answers}).
 */
final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  private final String prefix;
  private final ScheduledThreadPoolExecutor control;
  private final ScheduledThreadPoolExecutor answers;
  private final ExecutorService deliveries;
  private final ExecutorService publishing;

  Workers(String consumer) {
    this.prefix = "acklast-rabbitmq-" + consumer + "-";
    this.control = scheduled("control");
    this.answers = scheduled("answers");
    this.deliveries = Executors.newSingleThreadExecutor(threads("deliveries"));
    this.publishing = Executors.newSingleThreadExecutor(threads("publishing"));
  }

  /** For the client: its callbacks run here, one after another. */
  ExecutorService deliveries() {
    return deliveries;
  }

  /** Makes daemon threads with names of this subscription. */
  ThreadFactory threads(String role) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      String name = prefix + role + "-" + number.incrementAndGet();
      Runnable named =
          () -> {
            Thread.currentThread().setName(name); // the client has renamed it meanwhile
            task.run();
          };
      Thread thread = new Thread(named, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  void control(Runnable task) {
    submit(() -> control.execute(guarded(task)));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it throws is logged by guarded()
  void controlLater(Runnable task, Duration delay) {
    submit(() -> control.schedule(guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS));
  }

  void deliver(Runnable task) {
    submit(() -> deliveries.execute(guarded(task)));
  }

  /** Whether it will be run: false once closed. */
  boolean publish(Runnable task) {
    return submit(() -> publishing.execute(guarded(task)));
  }

  boolean answer(Runnable task) {
    return submit(() -> answers.execute(guarded(task)));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it throws is logged by guarded()
  boolean answerLater(Runnable task, Duration delay) {
    return submit(() -> answers.schedule(guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Ends all threads, and waits for that until {@code end} on {@link System#nanoTime}'s clock. */
  void shutdown(long end) throws InterruptedException {
    List<ExecutorService> all = List.of(control, publishing, deliveries, answers);
    all.forEach(ExecutorService::shutdownNow);
    for (ExecutorService one : all) {
      if (!one.awaitTermination(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        LOG.warn("A thread of {} still runs after its close; it ends with its work", prefix);
      }
    }
  }

  private ScheduledThreadPoolExecutor scheduled(String role) {
    ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, threads(role));
    executor.setRemoveOnCancelPolicy(true);
    return executor;
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
