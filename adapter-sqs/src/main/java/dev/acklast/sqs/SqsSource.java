package dev.acklast.sqs;

import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * One or several SQS queues, standard or FIFO, as the source of a consumer. Immutable and
 * thread-safe: each option returns a new value.
 *
 * <p>Queues and their redrive policies are never created or changed, but for a missing dead-letter
 * queue, which is created unless {@link #topologyNone} is chosen.
 *
 * <p>Messages of a FIFO queue are handled in the order of their group: one that waits for its retry
 * holds back its group, and nothing else. Their group is the envelope's record key and ordering
 * key. Message attributes are headers; the position is the message id.
 */
public final class SqsSource implements Source {
  private final SqsClient client;
  private final Options options;

  private SqsSource(SqsClient client, Options options) {
    this.client = client;
    this.options = options;
  }

  /**
   * One queue.
   *
   * @param client with the endpoint, region and credentials to use; never closed by the consumer,
   *     and to be closed after it. Its HTTP client must bear as many connections at once as the
   *     consumers on it have polls, and ten more each
   * @param queue an existing queue's name, URL (for a queue of another account) or ARN
   * @throws IllegalArgumentException if that can be no queue
   */
  public static SqsSource queue(SqsClient client, String queue) {
    return queues(client, List.of(queue));
  }

  /**
   * Several queues, all of them FIFO or none. The prefetch is divided among them; a queue that is
   * missing does not hold up the others.
   *
   * @param client as for {@link #queue}
   * @param queues at least one, each once
   */
  public static SqsSource queues(SqsClient client, List<String> queues) {
    return new SqsSource(client, Options.of(queues));
  }

  /** Creates nothing: the dead-letter queue must exist. */
  public SqsSource topologyNone() {
    return new SqsSource(client, options.withoutTopology());
  }

  /**
   * How long one receive waits for messages. A stop waits for the receives under way, but no longer
   * than five seconds: what a longer one still brings is given back when it ends, if the client is
   * open then, or else after the visibility timeout. Never longer than half of that.
   *
   * @param wait whole seconds, 1 to 20; 3 by default
   */
  public SqsSource longPoll(Duration wait) {
    return new SqsSource(client, options.withLongPoll(wait));
  }

  /**
   * The most receives at once for one queue. There is one while nothing comes, and more while they
   * bring something.
   *
   * @param most 1 to 100; 8 by default
   */
  public SqsSource polls(int most) {
    return new SqsSource(client, options.withPolls(most));
  }

  /**
   * How long messages stay invisible to others, counted anew every time that this is extended: so
   * long they wait if this process dies. It is extended while a message waits, runs or is parked,
   * for twelve hours in all (the service allows no more). The queue's own setting is not used.
   *
   * @param timeout whole seconds, 2 to 43,200; 30 by default. Below about five seconds a busy
   *     machine or network may miss it
   */
  public SqsSource visibilityTimeout(Duration timeout) {
    return new SqsSource(client, options.withVisibility(timeout));
  }

  /**
   * Takes notifications of SNS out of their wrapping: the envelope's body is then the published
   * message, and its attributes are headers too. Not needed with raw message delivery. What is no
   * notification, however similar, is left as it is; dead letters keep the wrapping.
   */
  public SqsSource unwrapSns() {
    return new SqsSource(client, options.withUnwrappedSns());
  }

  @Override
  public String name() {
    return options.queues().stream()
        .map(QueueName::name)
        .collect(Collectors.joining(",", "sqs:", ""));
  }

  @Override
  public String system() {
    return "aws_sqs";
  }

  @Override
  public Capabilities capabilities() {
    return options.isFifo()
        ? new Capabilities(false, Capabilities.Order.ALWAYS)
        : new Capabilities(true, Capabilities.Order.NONE);
  }

  @Override
  public Subscription subscribe(SourceSettings settings, Sink sink) {
    return SqsSubscription.create(client, options, settings, sink);
  }

  /** The name. */
  @Override
  public String toString() {
    return name();
  }
}
