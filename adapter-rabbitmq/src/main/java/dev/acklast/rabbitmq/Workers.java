package dev.acklast.rabbitmq;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All threads of one subscription; the client's own come from {@link #threads} too. One each: to
 * connect and to consume ({@code control}); to send copies ({@code publishing}); and to tell core
 * of deliveries and of what became of copies ({@code callbacks}), which waits for nobody. What is
 * given to them after the end is not done.
 */
final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  private final String prefix;
  private final ScheduledExecutorService control;
  private final ScheduledExecutorService callbacks;
  private final ScheduledExecutorService publishing;

  Workers(String consumer) {
    this.prefix = "acklast-rabbitmq-" + consumer + "-";
    this.control = worker("control");
    this.callbacks = worker("callbacks");
    this.publishing = worker("publishing");
  }

  private ScheduledExecutorService worker(String role) {
    var worker = new ScheduledThreadPoolExecutor(1, threads(role), (task, ended) -> {});
    worker.setRemoveOnCancelPolicy(true);
    return worker;
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

  /** For the client: its callbacks run here, one after another. */
  ScheduledExecutorService callbacks() {
    return callbacks;
  }

  void control(Runnable task) {
    controlLater(task, Duration.ZERO);
  }

  void controlLater(Runnable task, Duration delay) {
    submit(control, task, delay);
  }

  void publish(Runnable task) {
    submit(publishing, task, Duration.ZERO);
  }

  void callback(Runnable task) {
    callbackLater(task, Duration.ZERO);
  }

  /** To be cancelled once it is of no more use. */
  Future<?> callbackLater(Runnable task, Duration delay) {
    return submit(callbacks, task, delay);
  }

  /** Ends all threads, and waits for that until {@code end} on {@link System#nanoTime}'s clock. */
  void shutdown(long end) {
    List<ScheduledExecutorService> all = List.of(control, publishing, callbacks);
    all.forEach(ScheduledExecutorService::shutdownNow);
    try {
      for (ScheduledExecutorService one : all) {
        if (!one.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          LOG.warn("A thread of {} still runs after its close; it ends with its work", prefix);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Future<?> submit(ScheduledExecutorService to, Runnable task, Duration delay) {
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) {
            LOG.error("A step failed in a way that was not foreseen", e);
          }
        };
    return to.schedule(guarded, delay.toNanos(), TimeUnit.NANOSECONDS);
  }
}
