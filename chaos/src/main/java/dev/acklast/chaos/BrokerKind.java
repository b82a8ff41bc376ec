package dev.acklast.chaos;

import dev.acklast.spi.Source;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The kinds of brokers and queues that a run can be about. */
enum BrokerKind {
  RABBITMQ_CLASSIC("rabbitmq-classic", 500, () -> RabbitBroker.start("classic"), RabbitSources::of),
  RABBITMQ_QUORUM("rabbitmq-quorum", 500, () -> RabbitBroker.start("quorum"), RabbitSources::of),
  SQS("sqs", 120, () -> SqsBroker.start(false), SqsBroker::standardSource),
  SQS_FIFO("sqs-fifo", 120, () -> SqsBroker.start(true), SqsBroker::fifoSource),
  KAFKA("kafka", 500, () -> KafkaBroker.start(false), KafkaBroker::groupSource),
  KAFKA_SHARE("kafka-share", 120, () -> KafkaBroker.start(true), KafkaBroker::shareSource);

  private final String label;
  private final int rate;

  // Neither holds any state.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Supplier<Broker> starter;

  @SuppressWarnings("ImmutableEnumChecker")
  private final Function<Map<String, String>, Source> sources;

  BrokerKind(
      String label,
      int rate,
      Supplier<Broker> starter,
      Function<Map<String, String>, Source> sources) {
    this.label = label;
    this.rate = rate;
    this.starter = starter;
    this.sources = sources;
  }

  /** What the command line calls it. */
  String label() {
    return label;
  }

  /** Intents a second, unless the user wants more or fewer. */
  int rate() {
    return rate;
  }

  /** A new broker, running, with the source and the dead-letter target. */
  Broker start() {
    return starter.get();
  }

  /**
   * A worker's source.
   *
   * @param environment as {@link Broker#addresses} says
   */
  Source source(Map<String, String> environment) {
    return sources.apply(environment);
  }

  /**
   * The kind of this name.
   *
   * @throws IllegalArgumentException if there is none; the text names all
   */
  static BrokerKind of(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label.equals(label))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("must be one of " + labels() + ", not " + label));
  }

  static String labels() {
    return Arrays.stream(values()).map(BrokerKind::label).collect(Collectors.joining(", "));
  }
}
