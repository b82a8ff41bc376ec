package dev.acklast.sqs;

import dev.acklast.spi.Health;
import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import dev.acklast.spi.TroubleLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Consumes each queue of a source, and keeps the leases of what is in hand. */
final class SqsSubscription implements Subscription {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
  private static final Duration LONGEST_TICK = Duration.ofSeconds(2);

  private final Workers workers;
  private final List<QueueConsumer> consumers;
  private final Duration tick;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean started;

  private SqsSubscription(Workers workers, List<QueueConsumer> consumers, Duration visibility) {
    this.workers = workers;
    this.consumers = consumers;
    Duration part = visibility.dividedBy(10);
    this.tick = part.compareTo(LONGEST_TICK) < 0 ? part : LONGEST_TICK;
  }

  /** Checks settings against options, and makes a subscription that is not started. */
  static SqsSubscription create(
      SqsClient client, Options options, SourceSettings settings, Sink sink) {
    if (settings.ordered() && !options.isFifo()) {
      throw new IllegalArgumentException(
          "SQS keeps order on FIFO queues only: consume from one, or give up orderedBy");
    }
    int queues = options.queues().size();
    if (settings.prefetch() < queues) {
      throw new IllegalArgumentException(
          "A prefetch of "
              + settings.prefetch()
              + " cannot be divided among "
              + queues
              + " queues: raise it to that at least");
    }
    DeadLetters.Chosen chosen = DeadLetters.Chosen.of(settings.deadLetter(), options);
    Workers workers = new Workers(settings.consumer(), (options.polls() + 1) * queues);
    Calls calls = new Calls(client);
    TroubleLog log = new TroubleLog(SqsSource.class, settings.consumer());
    int share = settings.prefetch() / queues;
    List<QueueConsumer> consumers =
        options.queues().stream()
            .map(
                queue -> {
                  DeadLetters dead = new DeadLetters(queue, options, chosen, calls, workers);
                  return new QueueConsumer(
                      queue,
                      options,
                      share,
                      sink,
                      new QueueConsumer.Parts(calls, workers, log, dead));
                })
            .toList();
    return new SqsSubscription(workers, consumers, options.visibility());
  }

  @Override
  public void start() {
    started = true;
    workers.every(() -> consumers.forEach(consumer -> consumer.held().tend()), tick);
    consumers.forEach(QueueConsumer::start);
  }

  @Override
  public void pause() {
    consumers.forEach(consumer -> consumer.flow(false));
  }

  @Override
  public void resume() {
    consumers.forEach(consumer -> consumer.flow(true));
  }

  /** What receives under way still bring is given back by whoever receives it. */
  @Override
  public void stopIntake() {
    consumers.forEach(QueueConsumer::shut);
    long end = System.nanoTime() + STOP_LIMIT.toNanos();
    try {
      for (QueueConsumer consumer : consumers) {
        consumer.awaitIdle(end);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close(Duration deadline) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long end = System.nanoTime() + deadline.toNanos();
    consumers.forEach(QueueConsumer::shut);
    try {
      awaitQuiet(System.nanoTime() + deadline.toNanos() / 2);
      consumers.forEach(consumer -> consumer.held().giveBackAll());
      awaitQuiet(end);
      workers.shutdown(end);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      workers.shutdownNow();
    }
  }

  private void awaitQuiet(long end) throws InterruptedException {
    for (QueueConsumer consumer : consumers) {
      consumer.held().link().awaitQuiet(end);
    }
  }

  @Override
  public Health health() {
    if (!started || closed.get()) {
      return Health.down(started ? "it is closed" : "it is not started");
    }
    List<Health> all = consumers.stream().map(QueueConsumer::health).toList();
    boolean flows = all.stream().anyMatch(health -> health.status() != Health.Status.DOWN);
    Health sum = Health.up();
    for (Health one : all) {
      boolean others = flows && one.status() == Health.Status.DOWN;
      sum = sum.and(others ? new Health(Health.Status.DEGRADED, one.reasons()) : one);
    }
    return sum;
  }
}
