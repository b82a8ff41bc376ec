package dev.acklast.kafka;

import dev.acklast.spi.Facts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Looks topics up, and creates dead-letter topics. Answers come on the admin client's thread, each
 * within its time limit. Thread-safe.
 */
final class Topics implements AutoCloseable {
  /** What {@code acklast-death} and the record's own frame may add to a record. */
  private static final int HEADROOM = 16 << 10;

  private final Map<String, Object> config;
  private @Nullable Admin admin;
  private boolean closed;

  Topics(Map<String, Object> config) {
    this.config = config;
  }

  /** Made at the first use, as that fails while the servers' names cannot be resolved. */
  synchronized Admin admin() {
    if (closed) {
      throw new IllegalStateException("the consumer is closed");
    }
    if (admin == null) {
      admin = Admin.create(config);
    }
    return admin;
  }

  /** Those topics that exist; fails if the broker does not answer or does not let us look. */
  CompletionStage<Map<String, TopicDescription>> find(Collection<String> names) {
    CompletionStage<Map<String, TopicDescription>> found =
        CompletableFuture.completedFuture(new HashMap<>());
    Map<String, KafkaFuture<TopicDescription>> asked =
        admin().describeTopics(names).topicNameValues();
    for (KafkaFuture<TopicDescription> one : asked.values()) {
      CompletionStage<@Nullable TopicDescription> answer =
          one.toCompletionStage().exceptionallyCompose(Topics::absent);
      found = found.thenCombine(answer, Topics::with);
    }
    return found;
  }

  private static Map<String, TopicDescription> with(
      Map<String, TopicDescription> all, @Nullable TopicDescription one) {
    if (one != null) {
      all.put(one.name(), one);
    }
    return all;
  }

  private static CompletionStage<@Nullable TopicDescription> absent(Throwable failure) {
    return Diagnosis.bare(failure) instanceof UnknownTopicOrPartitionException
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(failure);
  }

  /**
   * Makes sure of a dead-letter topic.
   *
   * @param model gives its number of partitions, and its limit on records, to one that is created
   * @param mayCreate otherwise a missing one is a failure
   */
  CompletionStage<Void> ensure(String name, String model, boolean mayCreate) {
    return find(List.of(name, model))
        .thenCompose(
            found -> {
              if (found.containsKey(name)) {
                return CompletableFuture.completedFuture(null);
              }
              TopicDescription like = found.get(model);
              if (like == null || !mayCreate) {
                return CompletableFuture.failedFuture(
                    new UnknownTopicOrPartitionException(name + " does not exist"));
              }
              return configs(List.of(model))
                  .exceptionally(denied -> Map.of())
                  .thenCompose(known -> create(name, like, known.get(model)));
            });
  }

  /** Dead letters keep their time, which may be old: they must not expire for that. */
  private CompletionStage<Void> create(String name, TopicDescription like, @Nullable Config model) {
    Map<String, String> settings = new HashMap<>(Map.of("retention.ms", "-1"));
    Long limit = model == null ? null : number(model, "max.message.bytes");
    if (limit != null) {
      settings.put("max.message.bytes", String.valueOf(Math.min(limit, 1 << 30) + HEADROOM));
    }
    NewTopic topic =
        new NewTopic(name, Optional.of(like.partitions().size()), Optional.empty())
            .configs(settings);
    return admin()
        .createTopics(List.of(topic))
        .all()
        .toCompletionStage()
        .exceptionallyCompose(
            failure ->
                Diagnosis.bare(failure) instanceof TopicExistsException
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(failure));
  }

  /** What is known of sources and dead-letter topics; nothing where we may not ask. */
  CompletionStage<Facts> facts(Collection<String> sources, Collection<String> deadLetters) {
    List<String> all = new ArrayList<>(sources);
    all.addAll(deadLetters);
    return configs(all)
        .thenApply(known -> facts(known, sources, deadLetters))
        .exceptionally(denied -> Facts.unknown());
  }

  private static Facts facts(
      Map<String, Config> known, Collection<String> sources, Collection<String> deadLetters) {
    Duration retention = null;
    for (String source : sources) {
      Duration one = retention(known.get(source));
      if (one != null && (retention == null || one.compareTo(retention) < 0)) {
        retention = one;
      }
    }
    List<String> warnings = new ArrayList<>();
    for (String topic : deadLetters) {
      Config config = known.get(topic);
      if (config != null && text(config, "cleanup.policy").contains("compact")) {
        warnings.add(
            "the dead-letter topic '"
                + topic
                + "' is compacted: it refuses dead letters without a key and keeps one for each key;"
                + " set cleanup.policy=delete");
      } else if (retention(config) != null) {
        warnings.add(
            "the dead-letter topic '"
                + topic
                + "' deletes records after "
                + retention(config)
                + ", counted from the original's time: set retention.ms=-1");
      }
    }
    return new Facts(null, null, retention, warnings);
  }

  private static @Nullable Duration retention(@Nullable Config config) {
    if (config == null || !text(config, "cleanup.policy").contains("delete")) {
      return null;
    }
    Long millis = number(config, "retention.ms");
    return millis == null || millis <= 0 ? null : Duration.ofMillis(millis);
  }

  private CompletionStage<Map<String, Config>> configs(Collection<String> names) {
    List<ConfigResource> topics =
        names.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    return admin()
        .describeConfigs(topics)
        .all()
        .toCompletionStage()
        .thenApply(
            found -> {
              Map<String, Config> byName = new HashMap<>();
              found.forEach((topic, config) -> byName.put(topic.name(), config));
              return byName;
            });
  }

  private static String text(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? "" : entry.value();
  }

  private static @Nullable Long number(Config config, String name) {
    String text = text(config, name);
    return text.isEmpty() ? null : Long.valueOf(text);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
