package dev.acklast.chaos;

import java.util.List;
import java.util.SplittableRandom;

/** What happens to Kafka alone. */
final class KafkaFaults {
  private KafkaFaults() {}

  static List<Fault> all() {
    return List.of(new LettersRefused());
  }

  /** No record is small enough for the dead-letter topic. */
  static final class LettersRefused implements Fault {
    @Override
    public String name() {
      return "dead-letter topic refuses";
    }

    @Override
    public boolean appliesTo(Stage stage) {
      return stage.broker() instanceof KafkaBroker;
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      KafkaBroker broker = (KafkaBroker) stage.broker();
      broker.refuseLetters(true);
      return Injected.forMillis("", 6_000, () -> broker.refuseLetters(false));
    }
  }
}
