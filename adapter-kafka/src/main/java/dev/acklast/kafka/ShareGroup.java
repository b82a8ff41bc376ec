package dev.acklast.kafka;

import dev.acklast.spi.Facts;
import dev.acklast.spi.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * A share group as the broker has it configured. Where it begins and whether it reads what was
 * never committed are settings of the group, not of its members; those that nobody has set are set.
 * Thread-safe.
 */
final class ShareGroup {
  /** How long a record may wait in memory: it holds up its partition after some thousand others. */
  static final Duration LONGEST_PARK = Duration.ofMinutes(5);

  private static final String LIMIT = "share.delivery.count.limit";
  private static final String RENEWAL = "share.renew.acknowledge.enable";
  private static final int USUAL_LIMIT = 5;

  private final Topics topics;
  private final String name;
  private final Map<String, String> wanted;

  /**
   * A group.
   *
   * @param topics has the client that asks
   * @param reset where it begins: {@code earliest} or {@code latest}
   * @param isolation {@code read_committed} or {@code read_uncommitted}
   */
  ShareGroup(Topics topics, String name, String reset, String isolation) {
    this.topics = topics;
    this.name = name;
    this.wanted = Map.of("share.auto.offset.reset", reset, "share.isolation.level", isolation);
  }

  /**
   * What was found.
   *
   * @param deliveryLimit after how many deliveries the broker gives a record up; null if unknown
   */
  record Found(@Nullable Integer deliveryLimit, List<String> warnings) {
    /** The delivery that must become a dead letter, if it is not applied already. */
    int lastDelivery() {
      return deliveryLimit == null ? USUAL_LIMIT : deliveryLimit;
    }

    /** Adds to what is known of the topics. */
    Facts with(Facts topics) {
      List<String> all = new ArrayList<>(topics.warnings());
      all.addAll(warnings);
      return new Facts(null, deliveryLimit, topics.retention(), all)
          .markingLastDelivery()
          .parkingAtMost(LONGEST_PARK);
    }
  }

  /** Reads the group's settings and sets those that nobody has set. */
  CompletionStage<Found> open(boolean mayChange) {
    ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, name);
    return supported()
        .thenCompose(
            yes -> topics.admin().describeConfigs(List.of(group)).all().toCompletionStage())
        .thenCompose(configs -> settle(group, configs.getOrDefault(group, NOTHING), mayChange))
        .exceptionallyCompose(this::unknown);
  }

  private static final Config NOTHING = new Config(List.of());

  /** The epoch of each partition's leader; fails where one cannot be had. */
  CompletionStage<Map<TopicPartition, Integer>> leaderEpochs(
      Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, OffsetSpec.latest()));
    return topics
        .admin()
        .listOffsets(asked)
        .all()
        .toCompletionStage()
        .thenApply(
            found -> {
              Map<TopicPartition, Integer> epochs = new HashMap<>();
              found.forEach(
                  (partition, end) ->
                      end.leaderEpoch().ifPresent(epoch -> epochs.put(partition, epoch)));
              return epochs;
            });
  }

  private CompletionStage<Void> supported() {
    return topics
        .admin()
        .describeFeatures()
        .featureMetadata()
        .toCompletionStage()
        .thenAccept(ShareGroup::require);
  }

  private static void require(FeatureMetadata features) {
    FinalizedVersionRange range = features.finalizedFeatures().get("share.version");
    if (range == null || range.maxVersionLevel() < 1) {
      throw new RefusedException(
          "share groups are off on this cluster: switch them on (kafka-features.sh upgrade"
              + " --feature share.version=1; Kafka 4.2 or later), or use a consumer group");
    }
  }

  private CompletionStage<Found> settle(ConfigResource group, Config config, boolean mayChange) {
    if ("false".equals(text(config, RENEWAL))) {
      throw new RefusedException(
          "the share group '" + name + "' may not renew its locks: set " + RENEWAL + "=true");
    }
    String limit = text(config, LIMIT);
    Integer deliveries = limit == null ? null : Integer.valueOf(limit);
    List<AlterConfigOp> changes = new ArrayList<>();
    wanted.forEach(
        (key, value) -> {
          ConfigEntry entry = config.get(key);
          if (entry != null && entry.source() == ConfigEntry.ConfigSource.DEFAULT_CONFIG) {
            changes.add(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET));
          }
        });
    Found found = new Found(deliveries, List.of());
    if (changes.isEmpty()) {
      return CompletableFuture.completedFuture(found);
    }
    Found unset = new Found(deliveries, List.of(advice()));
    return mayChange
        ? topics
            .admin()
            .incrementalAlterConfigs(Map.of(group, changes))
            .all()
            .toCompletionStage()
            .handle((done, denied) -> denied == null ? found : unset)
        : CompletableFuture.completedFuture(unset);
  }

  private String advice() {
    return "the share group '"
        + name
        + "' begins at the end of its topics and reads what was never committed, unless it is"
        + " told otherwise: set "
        + wanted
        + " on it (kafka-configs.sh --entity-type groups)";
  }

  private static @Nullable String text(Config config, String key) {
    ConfigEntry entry = config.get(key);
    return entry == null ? null : entry.value();
  }

  private CompletionStage<Found> unknown(Throwable failure) {
    if (Diagnosis.bare(failure) instanceof org.apache.kafka.common.errors.AuthorizationException) {
      String warning =
          "the settings of the share group '"
              + name
              + "' cannot be read, so its delivery limit is taken for "
              + USUAL_LIMIT
              + ": grant DESCRIBE_CONFIGS on it";
      return CompletableFuture.completedFuture(new Found(null, List.of(warning, advice())));
    }
    return CompletableFuture.failedFuture(failure);
  }
}
