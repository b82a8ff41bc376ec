package dev.acklast.chaos;

import dev.acklast.servers.WrongClock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** What happens to consumers. */
final class ConsumerFaults {
  /** Longer than any lease that is set here: two heartbeats, a visibility timeout, a session. */
  private static final int STOPPED_MILLIS = 11_000;

  private static final int STORM_TURNS = 5;
  private static final Duration STORM_TURN = Duration.ofMillis(900);

  private ConsumerFaults() {}

  static List<Fault> all() {
    return List.of(
        new KillOne(),
        new StopOne(),
        new ScaleGracefully(),
        new KillAll(),
        new ScaleAtOnce(),
        new Storm(),
        new SkewedClock());
  }

  /** {@code kill -9} of one; another takes its place. */
  static final class KillOne implements Fault {
    @Override
    public String name() {
      return "kill -9 of a consumer";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      int worker = Fault.anyWorker(random);
      stage.crew().kill(worker);
      return Injected.forMillis(Crew.name(worker), 1_000, () -> {});
    }
  }

  static final class KillAll implements Fault {
    @Override
    public String name() {
      return "kill -9 of all consumers";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      for (int worker = 0; worker < Crew.MOST; worker++) {
        stage.crew().kill(worker);
      }
      return Injected.forMillis("all", 2_000, () -> {});
    }
  }

  /** SIGSTOP until its lease is over, then SIGCONT: it wakes up in the middle of its work. */
  static final class StopOne implements Fault {
    @Override
    public String name() {
      return "SIGSTOP of a consumer beyond its lease";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      int worker = Fault.anyWorker(random);
      stage.crew().freeze(worker);
      return Injected.forMillis(Crew.name(worker), STOPPED_MILLIS, () -> stage.crew().thaw(worker));
    }
  }

  /** From three to one by SIGTERM, and back. */
  static final class ScaleGracefully implements Fault {
    @Override
    public String name() {
      return "scale to one and back, gracefully";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      int stays = Fault.anyWorker(random);
      others(stays, stage.crew()::dismiss);
      return Injected.forMillis(
          Crew.name(stays) + " stays", 3_000, () -> others(stays, worker -> back(stage, worker)));
    }

    private static void back(Stage stage, int worker) {
      stage.crew().awaitEnd(worker);
      stage.crew().want(worker);
    }
  }

  /** From three to one by {@code kill -9}, and back. */
  static final class ScaleAtOnce implements Fault {
    @Override
    public String name() {
      return "scale to one and back, by kill -9";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      int stays = Fault.anyWorker(random);
      others(stays, stage.crew()::dismissAtOnce);
      return Injected.forMillis(
          Crew.name(stays) + " stays", 3_000, () -> others(stays, stage.crew()::want));
    }
  }

  /** Consumers come and go faster than their assignments settle. */
  static final class Storm implements Fault {
    @Override
    public String name() {
      return "rebalance storm";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws InterruptedException {
      for (int turn = 0; turn < STORM_TURNS; turn++) {
        int worker = turn % Crew.MOST;
        if (random.nextBoolean()) {
          stage.crew().kill(worker);
        } else {
          replace(stage, worker);
        }
        Thread.sleep(STORM_TURN.toMillis());
      }
      return Injected.atOnce(STORM_TURNS + " turns");
    }
  }

  /** Another takes its place, whose clock is wrong by more than any delay or retention. */
  static final class SkewedClock implements Fault {
    private static final List<Duration> OFFSETS =
        List.of(
            Duration.ofMinutes(10),
            Duration.ofMinutes(-10),
            Duration.ofDays(2),
            Duration.ofDays(-400));

    @Override
    public String name() {
      return "a consumer with a wrong clock";
    }

    @Override
    public boolean appliesTo(Stage stage) {
      return WrongClock.isPossible();
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      int worker = Fault.anyWorker(random);
      Duration ahead = OFFSETS.get(random.nextInt(OFFSETS.size()));
      stage.wrongClock(worker, ahead);
      replace(stage, worker);
      return Injected.forMillis(
          Crew.name(worker) + ", " + ahead.toMinutes() + " min ahead",
          8_000,
          () -> {
            stage.rightClock(worker);
            replace(stage, worker);
          });
    }
  }

  private static void replace(Stage stage, int worker) {
    stage.crew().dismiss(worker);
    stage.crew().awaitEnd(worker);
    stage.crew().want(worker);
  }

  private static void others(int stays, java.util.function.IntConsumer each) {
    for (int worker = 0; worker < Crew.MOST; worker++) {
      if (worker != stays) {
        each.accept(worker);
      }
    }
  }
}
