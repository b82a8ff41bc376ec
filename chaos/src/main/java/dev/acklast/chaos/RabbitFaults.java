package dev.acklast.chaos;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What happens to RabbitMQ alone. */
final class RabbitFaults {
  private static final String POLICY = "chaos";

  /**
   * A quorum queue that was declared a moment ago may come back empty from a kill: not our case.
   */
  private static final int SETTLING_MILLIS = 2_500;

  private static final Map<String, Object> FULL = Map.of("max-length", 0);

  private RabbitFaults() {}

  static List<Fault> all() {
    return List.of(
        fault("dead-letter queue missing", RabbitFaults::deadLettersUnbound),
        fault("source full while delays expire", RabbitFaults::sourceFull),
        fault("dead-letter exchange missing", RabbitFaults::deadExchangeMissing),
        fault("memory alarm", RabbitFaults::memoryAlarm),
        fault("dead-letter queue full", RabbitFaults::deadLettersFull),
        fault("source missing while delays expire", RabbitFaults::sourceMissing),
        fault("disk alarm", RabbitFaults::diskAlarm));
  }

  /** What is done to the broker. */
  private interface Deed {
    Fault.Injected to(RabbitBroker broker) throws Exception;
  }

  private static Fault fault(String name, Deed deed) {
    return new RabbitFault(name, deed);
  }

  private record RabbitFault(String name, Deed deed) implements Fault {
    @Override
    public boolean appliesTo(Stage stage) {
      return stage.broker() instanceof RabbitBroker;
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws Exception {
      return deed.to((RabbitBroker) stage.broker());
    }
  }

  private static Fault.Injected memoryAlarm(RabbitBroker broker) {
    broker.server().memoryAlarm(true);
    return Fault.Injected.forMillis("", 3_000, () -> broker.server().memoryAlarm(false));
  }

  private static Fault.Injected diskAlarm(RabbitBroker broker) {
    broker.server().rabbitmqctl("set_disk_free_limit", "100000GB");
    return Fault.Injected.forMillis(
        "", 3_000, () -> broker.server().rabbitmqctl("set_disk_free_limit", "50MB"));
  }

  private static Fault.Injected deadLettersUnbound(RabbitBroker broker) throws Exception {
    broker.topology().unbindDeadLetters();
    return Fault.Injected.forMillis("", 6_000, () -> broker.topology().declareDeadLetters());
  }

  private static Fault.Injected deadExchangeMissing(RabbitBroker broker) throws Exception {
    broker.topology().deleteDeadExchange();
    return Fault.Injected.forMillis("", 6_000, () -> broker.topology().declareDeadLetters());
  }

  private static Fault.Injected deadLettersFull(RabbitBroker broker) {
    fill(broker, RabbitTopology.DEAD_QUEUE);
    return Fault.Injected.forMillis("", 6_000, () -> makeRoom(broker));
  }

  private static Fault.Injected sourceFull(RabbitBroker broker) {
    fill(broker, RabbitTopology.SOURCE);
    return Fault.Injected.forMillis("", 5_000, () -> makeRoom(broker));
  }

  /**
   * Nothing may be lost by the deletion itself, so the queue is closed to new messages first, and
   * deleted once it is empty; what waits in the delay queues then has nowhere to go.
   */
  private static Fault.Injected sourceMissing(RabbitBroker broker) throws Exception {
    fill(broker, RabbitTopology.SOURCE);
    try {
      awaitEmptySource(broker);
      broker.topology().deleteSource();
    } catch (Exception e) {
      makeRoom(broker);
      throw e;
    }
    return Fault.Injected.forMillis(
        "",
        3_000,
        () -> {
          broker.topology().declareSource();
          makeRoom(broker);
          Thread.sleep(SETTLING_MILLIS);
        });
  }

  private static void awaitEmptySource(RabbitBroker broker) throws InterruptedException {
    int empty = 0;
    for (int look = 0; empty < 4; look++) {
      if (look == 40) {
        throw new IllegalStateException("the source did not become empty");
      }
      Thread.sleep(500);
      Residue residue = broker.residue();
      empty = residue.ready() + residue.unsettled() == 0 ? empty + 1 : 0;
    }
  }

  private static void fill(RabbitBroker broker, String queue) {
    String pattern = "^" + queue.replace(".", "\\.") + "$";
    broker.server().setPolicy(POLICY, pattern, FULL, "queues");
  }

  private static void makeRoom(RabbitBroker broker) {
    broker.server().mainVirtualHost().deletePolicy(POLICY);
  }
}
