package dev.acklast.chaos;

import java.util.List;
import java.util.SplittableRandom;

/** What happens to any broker. */
final class BrokerFaults {
  private BrokerFaults() {}

  static List<Fault> all() {
    return List.of(new Kill(), new Freeze());
  }

  static final class Kill implements Fault {
    @Override
    public String name() {
      return "kill -9 of the broker";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      stage.broker().kill();
      return Injected.forMillis("", random.nextInt(2_000), () -> stage.broker().start());
    }
  }

  static final class Freeze implements Fault {
    @Override
    public String name() {
      return "the broker hangs";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      stage.broker().freeze();
      return Injected.forMillis("", 3_000 + random.nextInt(7_000), () -> stage.broker().thaw());
    }
  }
}
