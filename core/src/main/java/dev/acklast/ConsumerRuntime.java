package dev.acklast;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Health;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One consumer's life: start, pause, drain; and its health. Thread-safe. */
final class ConsumerRuntime<T> {
  private static final Logger log = LoggerFactory.getLogger(ConsumerRuntime.class);
  private static final Duration SWEEP = Duration.ofSeconds(1);
  private static final Duration LAST_SETTLES = Duration.ofSeconds(2);

  private final ConsumerSettings<T> settings;
  private final ConsumerParts<T> parts;
  private final DatabaseCheck database;
  private final BrokerCheck broker;
  private final Settlement<T> settlement;
  private final Lanes<T> lanes;
  private final Upkeep<T> upkeep;
  private final Subscription subscription;
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean draining = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Duration lease;
  private volatile boolean finishedInTime = true;

  private boolean subscribed;
  private boolean pausedByUser;
  private boolean paused;

  ConsumerRuntime(ConsumerSettings<T> settings) {
    this.settings = settings;
    DatabaseClock clock = new DatabaseClock();
    this.database = new DatabaseCheck(settings, clock);
    this.broker = new BrokerCheck(settings);
    Listeners listeners = new Listeners(settings.listeners());
    OutageGate gate = new OutageGate(settings.name(), this::lookAtDatabase, listeners);
    this.parts = ConsumerParts.of(settings, gate, listeners, clock);
    this.settlement = new Settlement<>(parts);
    this.lanes =
        new Lanes<>(settings.name(), settings.flow(), new MessagePipeline<>(parts, settlement));
    this.upkeep = new Upkeep<>(parts, clock);
    this.subscription =
        settings
            .source()
            .subscribe(
                new SourceSettings(
                    settings.name(),
                    settings.flow().prefetch(),
                    settings.deadLetter(),
                    settings.failures().backoff().max(),
                    settings.ordered()),
                new Intaking());
  }

  // ---- start

  void start() {
    if (draining.get() || !started.compareAndSet(false, true)) {
      throw new IllegalStateException("consumer " + settings.name() + " was started before");
    }
    try {
      database.checkPool();
      String wrong = database.look();
      parts.gate().start(this::gateMoved, lanes.tending());
      if (wrong != null) {
        parts.gate().shut(wrong);
      }
    } catch (RefusedException e) {
      lanes.stop();
      throw new RefusedException("consumer " + settings.name() + ": " + e.getMessage());
    }
    parts.listeners().started(settings.name(), parts.intake());
    lanes.start();
    upkeep.start(lanes.tending());
    lanes.tending().every(SWEEP, SWEEP, this::giveBackOverdue);
    adjustIntake();
  }

  private @Nullable String lookAtDatabase() {
    try {
      return database.look();
    } catch (RefusedException e) {
      return e.getMessage();
    }
  }

  private void gateMoved(OutageGate.State state) {
    parts
        .intake()
        .open(
            switch (state) {
              case FLOWING -> settings.flow().concurrency();
              case TRYING -> 1;
              case OUT -> 0;
            });
    if (!draining.get()) {
      lanes.tending().after(Duration.ZERO, this::adjustIntake);
    }
  }

  // ---- pause and resume

  void pause() {
    setPaused(true);
  }

  void resume() {
    setPaused(false);
  }

  private synchronized void setPaused(boolean byUser) {
    pausedByUser = byUser;
    adjustIntake();
  }

  /** Lets the adapter consume exactly while somebody may work on what it brings. */
  private synchronized void adjustIntake() {
    boolean wanted = !pausedByUser && parts.gate().state() != OutageGate.State.OUT;
    if (draining.get() || !started.get()) {
      return;
    }
    if (wanted && !subscribed) {
      subscribed = true;
      subscription.start();
    } else if (subscribed && wanted == paused) {
      paused = !wanted;
      if (paused) {
        subscription.pause();
      } else {
        subscription.resume();
      }
    }
  }

  // ---- drain

  Duration drainTimeout() {
    return settings.flow().drainTimeout();
  }

  boolean drain(Duration timeout) {
    boolean first = draining.compareAndSet(false, true);
    if (first && lanes.isLane(Thread.currentThread())) {
      lanes
          .tending()
          .after(Duration.ZERO, () -> drainOnce(timeout)); // a handler cannot wait for itself
      return false;
    }
    if (first) {
      drainOnce(timeout);
    }
    try {
      return closed.await(timeout.toMillis() + 10_000, TimeUnit.MILLISECONDS) && finishedInTime;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void drainOnce(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    parts.stopping().set(true);
    try {
      synchronized (this) {
        if (subscribed) {
          subscription.stopIntake();
        }
      }
      parts.intake().close();
      giveBack(message -> true);
      long forHandlers = (deadline - System.nanoTime()) * 9 / 10;
      finishedInTime = lanes.awaitEnd(Duration.ofNanos(Math.max(0, forHandlers)));
      if (!finishedInTime) {
        lanes.cancelHandlers();
        lanes.awaitEnd(Duration.ofNanos(Math.max(100_000_000, deadline - System.nanoTime())));
      }
      giveBack(message -> true);
      parts.intake().awaitSettled(LAST_SETTLES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  /** Tending ends last and interrupts its threads, of which this may be one. */
  private void close() {
    try {
      lanes.giveUp();
      subscription.close(LAST_SETTLES);
      parts.listeners().closed(settings.name(), parts.intake());
    } finally {
      closed.countDown();
      lanes.stop();
    }
  }

  /** Gives back what no lane works on; its marks are taken off, as its runs did not happen. */
  private void giveBack(Predicate<InFlight<T>> which) {
    List<InFlight<T>> unstarted = parts.intake().withdraw(which);
    if (unstarted.stream().anyMatch(message -> message.run != null)) {
      parts
          .transactions()
          .run(
              tx -> {
                parts.marks().lift(tx.connection(), unstarted);
                return unstarted;
              });
    }
    unstarted.forEach(settlement::release);
  }

  /**
   * Before the broker takes a delivery back by force, it is given back: once, and in good order.
   */
  private void giveBackOverdue() {
    Duration left = lease;
    if (left != null) {
      long oldest = left.toNanos() / 10 * 8;
      giveBack(message -> message.ageNanos() > oldest);
    }
  }

  // ---- health

  Health health() {
    if (!started.get() || draining.get()) {
      return Health.down(
          "consumer " + settings.name() + (started.get() ? " is closed" : " is not started"));
    }
    Health health = subscription.health();
    String outage = parts.gate().reason();
    if (outage != null) {
      health = health.and(Health.down(outage));
    }
    String refusal = parts.burial().refusal();
    if (refusal != null) {
      health =
          health.and(
              Health.degraded("dead letters wait, their queue does not take them: " + refusal));
    }
    if (lanes.hanging() > 0) {
      String text = lanes.hanging() + " handlers hang and ignore their interrupt";
      health = health.and(lanes.isExhausted() ? Health.down(text) : Health.degraded(text));
    }
    int heldBack = parts.intake().heldBack();
    if (heldBack >= Math.max(2, settings.flow().prefetch() / 2)) {
      String next = parts.intake().nextParked();
      String first = next == null ? "" : ", next " + next;
      health = health.and(Health.degraded(heldBack + " messages are held back" + first));
    }
    return health;
  }

  /** The adapter's way into the consumer. */
  private final class Intaking implements Sink {
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    @Override
    public void opened(Facts facts) {
      broker.check(facts);
      lease = facts.lease();
      facts.warnings().stream()
          .filter(warned::add) // once, not at each reconnect
          .forEach(warning -> log.warn("{}: {}", settings.name(), warning));
    }

    @Override
    public void deliver(Delivery delivery) {
      InFlight<T> message = new InFlight<>(delivery, settings);
      parts.listeners().received(message);
      parts.intake().arrived(message);
      if (parts.stopping().get()) {
        giveBack(unstarted -> unstarted == message);
      }
    }

    @Override
    public void reclaim(Predicate<? super Envelope> which) {
      lanes
          .tending()
          .after(Duration.ZERO, () -> giveBack(message -> which.test(message.envelope())));
    }
  }
}
