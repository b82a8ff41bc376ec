package dev.acklast.chaos;

import java.time.Duration;
import java.util.SplittableRandom;

/** One way to disturb a run. Stateless; what it draws comes from the run's seed. */
interface Fault {
  /** What the terminal and the docs call it. */
  String name();

  /** Whether it can be made on this stage. */
  default boolean appliesTo(Stage stage) {
    return true;
  }

  /**
   * Makes it.
   *
   * @throws Exception if it could not be made: it then does not count
   */
  Injected inject(Stage stage, SplittableRandom random) throws Exception;

  /** Undoes a fault. */
  interface Healing {
    void heal() throws Exception;
  }

  /**
   * A fault that is there.
   *
   * @param what whom it hit, for the terminal
   * @param hold how long it is to stay
   */
  record Injected(String what, Duration hold, Healing healing) {
    /** One that is over by itself. */
    static Injected atOnce(String what) {
      return new Injected(what, Duration.ZERO, () -> {});
    }

    /** One that stays for some milliseconds. */
    static Injected forMillis(String what, long millis, Healing healing) {
      return new Injected(what, Duration.ofMillis(millis), healing);
    }
  }

  /** The number of a worker. */
  static int anyWorker(SplittableRandom random) {
    return random.nextInt(Crew.MOST);
  }
}
