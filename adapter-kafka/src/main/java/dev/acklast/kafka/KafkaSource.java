package dev.acklast.kafka;

import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One or several Kafka topics as the source of a consumer, read by a consumer group or by a share
 * group. Immutable and thread-safe: each option returns a new value.
 *
 * <p>The user's topics are never created or changed. Unless {@link #topologyNone} is chosen, a
 * missing dead-letter topic is created.
 *
 * <p>In the envelope, the source is the topic and the position {@code <partition>:<offset>}. Header
 * values are text where they are UTF-8 without control characters, else bytes; of several headers
 * with one name the last one counts. The record key is there if it is UTF-8. A header {@code
 * content-type} or {@code content-encoding} is taken as what it says.
 */
public final class KafkaSource implements Source {
  private final ClientConfig config;
  private final Options options;

  private KafkaSource(ClientConfig config, Options options) {
    this.config = config;
    this.options = options;
  }

  /**
   * Topics of one cluster, read by the consumer group that {@code group.id} names, if it is there.
   *
   * @param config how to reach the cluster, as for any Kafka client: {@code bootstrap.servers},
   *     security and so on; copied. Deserializers in it are not used, as records are read as bytes,
   *     and offsets are never committed automatically. Where it says nothing, only committed
   *     transactions are read, and a group without offsets begins with the earliest record
   * @param topics at least one existing topic's name, each once
   */
  public static KafkaSource topics(Map<String, ?> config, String... topics) {
    return topics(config, List.of(topics));
  }

  /** As {@link #topics(Map, String...)}. */
  public static KafkaSource topics(Map<String, ?> config, List<String> topics) {
    ClientConfig client = ClientConfig.of(config);
    return new KafkaSource(client, Options.of(topics, client.text("group.id")));
  }

  /** Reads as a member of this consumer group, whatever {@code group.id} says. */
  public KafkaSource group(String name) {
    return with(options.withGroup(Options.Kind.CONSUMER_GROUP, name));
  }

  /**
   * Reads as a member of this share group: members compete for records, so there is no order, and
   * there may be more of them than partitions. Needs Kafka 4.2 or later; see the limits of this
   * kind in {@code docs/adapters/kafka.md}.
   */
  public KafkaSource shareGroup(String name) {
    return with(options.withGroup(Options.Kind.SHARE_GROUP, name));
  }

  /** Creates nothing on the broker: the dead-letter topic must exist. */
  public KafkaSource topologyNone() {
    return with(options.withoutTopology());
  }

  /**
   * Goes on where records were deleted before they were consumed, or a topic was made anew: with
   * the earliest record that is there. Otherwise that partition stands still, and health names the
   * gap.
   */
  public KafkaSource acceptGaps() {
    return with(options.withGaps());
  }

  /**
   * Hands records without a value (tombstones) to the handler, with an empty body. Otherwise they
   * are skipped, and counted as such.
   */
  public KafkaSource deliverTombstones() {
    return with(options.withTombstones());
  }

  /**
   * How many records of a partition may be handed over past its committed offset, while an earlier
   * one waits for its retry. As many are looked at with care after a crash.
   *
   * @param records 1 to 1,000,000; 5,000 by default
   */
  public KafkaSource span(int records) {
    return with(options.withLimits(options.limits().withSpan(records)));
  }

  /**
   * Most bytes of records that are held in memory, handed over or not; one poll may add to that.
   *
   * @param bytes at least 1; 64 MiB by default
   */
  public KafkaSource heldBytes(long bytes) {
    return with(options.withLimits(options.limits().withBytes(bytes)));
  }

  /**
   * How often offsets are committed anew while nothing moves, so that the broker does not forget
   * them ({@code offsets.retention.minutes}, seven days by default).
   *
   * @param interval at least a second; an hour by default
   */
  public KafkaSource renewOffsets(Duration interval) {
    return with(options.withLimits(options.limits().withRenewal(interval)));
  }

  private KafkaSource with(Options changed) {
    return new KafkaSource(config, changed);
  }

  @Override
  public String name() {
    return "kafka:" + String.join(",", options.topics());
  }

  @Override
  public String system() {
    return "kafka";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(
        false,
        options.kind() == Options.Kind.SHARE_GROUP
            ? Capabilities.Order.NONE
            : Capabilities.Order.ON_REQUEST);
  }

  @Override
  public Subscription subscribe(SourceSettings settings, Sink sink) {
    return options.kind() == Options.Kind.SHARE_GROUP
        ? new ShareSubscription(config, options, settings, sink)
        : GroupSubscription.create(config, options, settings, sink);
  }

  /** The name, which is free of credentials. */
  @Override
  public String toString() {
    return name();
  }
}
