package dev.acklast.demo;

import static dev.acklast.demo.Report.number;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what both consumers do, and shows it meanwhile. For one thread. */
final class Watch {
  private static final Duration GLANCE = Duration.ofMillis(100);
  private static final int GLANCES_PER_SHOW = 5;
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Looks in a row that must find nothing to do: the broker's figures are some seconds old. */
  private static final int QUIET_LOOKS = 4;

  /** Without any progress for so long, the audit may say what is missing. */
  private static final int PATIENCE_LOOKS = 60;

  private final Console console;
  private final Broker broker;
  private final Shop acklast;
  private final Shop usual;

  Watch(Console console, Broker broker, Shop acklast, Shop usual) {
    this.console = console;
    this.broker = broker;
    this.acklast = acklast;
    this.usual = usual;
  }

  /**
   * Waits for something.
   *
   * @throws IllegalStateException if it does not come within the limit
   */
  void until(BooleanSupplier condition, Duration limit, String failure)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (int glances = 0; !condition.getAsBoolean(); glances++) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "After " + limit.toSeconds() + " s " + failure + ": the logs say why");
      }
      if (glances % GLANCES_PER_SHOW == 0) {
        show("");
      }
      Thread.sleep(GLANCE.toMillis());
    }
  }

  /**
   * Waits until no message waits, is in work or is to be tried again, or nothing moves any more.
   */
  void untilAllIsDone() throws InterruptedException {
    int quiet = 0;
    int still = 0;
    long before = -1;
    while (quiet < QUIET_LOOKS && still < PATIENCE_LOOKS) {
      Thread.sleep(LOOK.toMillis());
      long unfinished = unfinished();
      long now = acklast.commissions() + usual.commissions() - Math.max(0, unfinished);
      quiet = unfinished == 0 && now == before ? quiet + 1 : 0;
      still = now == before ? still + 1 : 0;
      before = now;
      show(unfinished < 0 ? "the broker is away" : number(unfinished) + " to go");
    }
  }

  /** Shows the counts, and something to say beside them. */
  void show(String beside) {
    console.progress(
        "paid: Acklast %s, usual %s%s"
            .formatted(
                number(acklast.commissions()),
                number(usual.commissions()),
                beside.isEmpty() ? "" : "; " + beside));
  }

  /** -1 while the broker does not answer. */
  private long unfinished() {
    try {
      return broker.unfinished();
    } catch (RuntimeException e) { // each client has its own
      return -1;
    }
  }
}
