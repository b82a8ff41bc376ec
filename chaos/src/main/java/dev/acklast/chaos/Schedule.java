package dev.acklast.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The faults of a run in two rows: one of consumers, one of everything else. Each row makes one
 * fault at a time, so that there are two at once and both rows meet in ever new pairs. Which fault
 * comes when is drawn from the seed alone: all of a row in a random order, those left out that the
 * stage does not allow, then all again in another. The last third of each minute is calm, so that
 * work also goes on from what the faults left behind, and does not only pile up.
 */
final class Schedule {
  private static final int LONGEST_PAUSE_MILLIS = 1_500;
  private static final long MINUTE_MILLIS = 60_000;
  private static final long CALM_FROM_MILLIS = 40_000;

  private final Stage stage;
  private final Screen screen;
  private final AtomicInteger injected = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Row> rows;
  private final List<Thread> threads = new ArrayList<>();

  Schedule(Stage stage, Screen screen, long seed) {
    this.stage = stage;
    this.screen = screen;
    List<Fault> others = new ArrayList<>(LinkFaults.all());
    others.addAll(DatabaseFaults.all());
    others.addAll(BrokerFaults.all());
    others.addAll(RabbitFaults.all());
    others.addAll(KafkaFaults.all());
    this.rows = List.of(new Row(ConsumerFaults.all(), seed), new Row(others, seed + 1));
  }

  /** One row of faults, endless. */
  private static final class Row {
    private final List<Fault> faults;
    private final List<Fault> deck = new ArrayList<>();
    private final Random order;
    private final SplittableRandom random;

    Row(List<Fault> faults, long seed) {
      this.faults = List.copyOf(faults);
      this.order = new Random(seed);
      this.random = new SplittableRandom(seed);
    }

    Fault next() {
      if (deck.isEmpty()) {
        deck.addAll(faults);
        Collections.shuffle(deck, order);
      }
      return deck.remove(deck.size() - 1);
    }
  }

  /** How many faults were made. */
  int injected() {
    return injected.get();
  }

  void begin() {
    long began = System.nanoTime();
    for (Row row : rows) {
      Thread thread = new Thread(() -> run(row, began), "chaos-faults-" + threads.size());
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** Begins no more faults, and waits until those that stand are healed. */
  void end() throws InterruptedException {
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void run(Row row, long began) {
    try {
      while (!over.get()) {
        if (isCalm(began)) {
          Thread.sleep(LONGEST_PAUSE_MILLIS / 2);
          continue;
        }
        Fault fault = row.next();
        SplittableRandom random = row.random.split();
        if (!fault.appliesTo(stage)) {
          continue;
        }
        make(fault, random);
        Thread.sleep(row.random.nextInt(LONGEST_PAUSE_MILLIS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isCalm(long began) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    return millis % MINUTE_MILLIS >= CALM_FROM_MILLIS;
  }

  private void make(Fault fault, SplittableRandom random) throws InterruptedException {
    Fault.Injected standing;
    try {
      standing = fault.inject(stage, random);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      screen.event("left out: " + fault.name() + ": " + text(e));
      return;
    }
    injected.incrementAndGet();
    screen.event(fault.name() + (standing.what().isEmpty() ? "" : ": " + standing.what()));
    Thread.sleep(standing.hold().toMillis());
    heal(fault, standing);
  }

  /** A healing may meet the other row's fault, and then has to wait for its end. */
  private void heal(Fault fault, Fault.Injected standing) throws InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        standing.healing().heal();
        return;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        if (tries == 20) {
          screen.event("not healed: " + fault.name() + ": " + text(e));
          return;
        }
        Thread.sleep(1_000);
      }
    }
  }

  private static String text(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }
}
