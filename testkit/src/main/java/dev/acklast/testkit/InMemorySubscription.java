package dev.acklast.testkit;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Health;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A consumer's tie to the broker in memory: one thread that connects, takes what prefetch leaves
 * room for, and hands it over outside of the lock. All its state is guarded by the server's lock.
 */
final class InMemorySubscription implements Subscription {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  private final InMemorySource source;
  private final QueueServer server;
  private final SourceSettings settings;
  private final Sink sink;
  private final Thread thread;
  private @Nullable Link link;
  private @Nullable String refusal;
  private boolean started;
  private boolean paused;
  private boolean stopped;
  private boolean handingOver;
  private int nextQueue;

  InMemorySubscription(InMemorySource source, SourceSettings settings, Sink sink) {
    this.source = source;
    this.server = source.server();
    this.settings = settings;
    this.sink = sink;
    this.thread = new Thread(this::run, "acklast-memory-" + settings.consumer());
    thread.setDaemon(true);
  }

  @Override
  public void start() {
    server.run(() -> started = true);
    thread.start();
  }

  @Override
  public void pause() {
    server.run(() -> paused = true);
  }

  @Override
  public void resume() {
    server.run(() -> paused = false);
  }

  @Override
  public void stopIntake() {
    server.run(() -> stopped = true);
    if (Thread.currentThread() != thread) {
      server.await(STOP_TIMEOUT, () -> handingOver ? null : true);
    }
  }

  @Override
  public void close(Duration deadline) {
    server.run(
        () -> {
          stopped = true;
          if (link != null) {
            server.cut(link);
          }
        });
    joinWithin(deadline);
  }

  private void joinWithin(Duration deadline) {
    if (Thread.currentThread() == thread || !thread.isAlive()) {
      return;
    }
    try {
      thread.join(Math.max(1, deadline.toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Health health() {
    return server.read(this::currentHealth);
  }

  private Health currentHealth() {
    if (stopped || !started) {
      return Health.down(source.name() + (stopped ? " is stopped" : " is not started"));
    }
    if (!server.isUp()) {
      return Health.down(source.name() + ": the broker is down; retrying");
    }
    List<String> missing = source.queues().stream().filter(q -> server.find(q) == null).toList();
    if (!missing.isEmpty()) {
      String reason = "missing, retrying until created: " + String.join(", ", missing);
      boolean all = missing.size() == source.queues().size();
      return all ? Health.down(reason) : Health.degraded(reason);
    }
    if (refusal != null) {
      return Health.down(refusal);
    }
    return link != null && link.alive()
        ? Health.up()
        : Health.down(source.name() + ": not connected; retrying");
  }

  private void run() {
    Duration pause = SHORTEST_PAUSE;
    while (!server.read(() -> stopped)) {
      Link opened = connect();
      if (opened != null) {
        pause = SHORTEST_PAUSE;
        consume(opened);
      } else {
        server.await(withJitter(pause), () -> stopped ? true : null);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
      }
    }
  }

  private static Duration withJitter(Duration pause) {
    long nanos = pause.toNanos();
    return Duration.ofNanos(ThreadLocalRandom.current().nextLong(nanos / 2, nanos + 1));
  }

  /** A new link, told to core before anything comes over it; null if there can be none now. */
  private @Nullable Link connect() {
    Link opened = server.change(this::open);
    if (opened == null) {
      return null;
    }
    try {
      sink.opened(new Facts(source.options().lease(), null, null, List.of()));
      server.run(() -> refusal = null);
      return opened;
    } catch (RefusedException e) {
      server.run(
          () -> {
            refusal = e.getMessage();
            server.cut(opened);
          });
      return null;
    }
  }

  private @Nullable Link open() {
    boolean nothingThere = source.queues().stream().allMatch(q -> server.find(q) == null);
    if (stopped || !server.isUp() || server.isFrozen() || nothingThere) {
      return null;
    }
    if (source.options().createDeadLetter()) {
      source
          .queues()
          .forEach(
              queue -> server.create(InMemorySource.deadLetterOf(queue, settings.deadLetter())));
    }
    Link opened = new Link(source.options(), settings.prefetch());
    server.add(opened);
    link = opened;
    return opened;
  }

  private void consume(Link opened) {
    while (server.read(() -> !isOver(opened))) {
      Turn turn = server.await(LONGEST_PAUSE, () -> turn(opened));
      if (turn == null || turn.taken() == null) {
        continue;
      }
      try {
        sink.deliver(toDelivery(turn.taken()));
      } finally {
        server.run(() -> handingOver = false);
      }
    }
  }

  /** What ends a wait: a message, or none if the link is over. */
  private record Turn(@Nullable InFlight taken) {}

  private boolean isOver(Link opened) {
    return stopped || !opened.alive();
  }

  private @Nullable Turn turn(Link opened) {
    if (isOver(opened)) {
      return new Turn(null);
    }
    InFlight taken = take(opened);
    return taken == null ? null : new Turn(taken);
  }

  /** Takes from the queues in turn, so that a long one does not starve the others. */
  private @Nullable InFlight take(Link opened) {
    if (paused || server.isFrozen() || !opened.hasRoom()) {
      return null;
    }
    List<String> queues = source.queues();
    for (int i = 0; i < queues.size(); i++) {
      MemoryQueue queue = server.find(queues.get((nextQueue + i) % queues.size()));
      InFlight taken = queue == null ? null : queue.take(opened, System.nanoTime());
      if (taken != null) {
        nextQueue = (nextQueue + i + 1) % queues.size();
        handingOver = true;
        return taken;
      }
    }
    return null;
  }

  private Delivery toDelivery(InFlight taken) {
    return new Delivery(taken.envelope, new InMemoryAcker(server, settings, taken));
  }
}
