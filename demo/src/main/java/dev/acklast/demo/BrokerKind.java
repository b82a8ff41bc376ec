package dev.acklast.demo;

import java.util.Locale;
import java.util.function.Supplier;

/** The brokers to choose from. */
enum BrokerKind {
  /** Needs nothing but Java. */
  SQS("SQS", 3_000, "commissions-sqs.yaml", UsualSqs.class, SqsBroker::start),
  KAFKA("Kafka", 20_000, "commissions-kafka.yaml", UsualKafka.class, KafkaBroker::start),
  RABBITMQ("RabbitMQ", 20_000, "commissions.yaml", UsualRabbit.class, RabbitBroker::start);

  final String title;
  final int messages;
  final String configuration;
  final Class<?> usualConsumer;

  // It holds no state.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Supplier<Broker> starter;

  /**
   * @param messages how many sales a month has if nobody says otherwise
   * @param configuration the file of the example
   * @param usualConsumer a program
   */
  BrokerKind(
      String title,
      int messages,
      String configuration,
      Class<?> usualConsumer,
      Supplier<Broker> starter) {
    this.title = title;
    this.messages = messages;
    this.configuration = configuration;
    this.usualConsumer = usualConsumer;
    this.starter = starter;
  }

  /**
   * Starts a private one.
   *
   * @throws IllegalStateException if it cannot be started; the message says what to do
   */
  Broker start() {
    return starter.get();
  }

  /** As users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
