package dev.acklast.spi;

/**
 * Where messages come from: an immutable description of queues or topics, and how to reach them.
 * Users make one with an adapter's factory and give it to a consumer. Thread-safe; opens nothing
 * before {@link #subscribe}.
 */
public interface Source {
  /** Names broker and queues for logs and metrics, {@code rabbitmq:sales} say; no credentials. */
  String name();

  /**
   * The broker's kind as OpenTelemetry names it: {@code rabbitmq}, {@code aws_sqs}, {@code kafka}.
   */
  String system();

  /** What this source can do. */
  Capabilities capabilities();

  /**
   * Makes a subscription that is not yet started. Checks all that can be checked without the
   * network.
   *
   * @throws IllegalArgumentException if settings and source contradict each other: a dead-letter
   *     queue that is the source itself, say. The message says what to do.
   */
  Subscription subscribe(SourceSettings settings, Sink sink);
}
