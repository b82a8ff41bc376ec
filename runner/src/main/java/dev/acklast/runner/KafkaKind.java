package dev.acklast.runner;

import dev.acklast.kafka.KafkaSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.jspecify.annotations.Nullable;

/** Topics of Kafka. */
final class KafkaKind implements SourceKind {
  private static final int ANSWER_MILLIS = 10_000;

  @Override
  public Configured read(Value value, @Nullable Value deadLetter) {
    Section section = value.section(Block.KAFKA);
    if (deadLetter != null) {
      throw deadLetter.error("must be a topic's name: exchanges are RabbitMQ's");
    }
    Map<String, Object> config = config(section);
    Value names = section.require("topics");
    List<String> topics = names.list().stream().map(Value::text).toList();
    KafkaSource source = names.parse(topics, all -> KafkaSource.topics(config, all));
    return new Configured(options(section, source), () -> findings(config, topics));
  }

  private static Map<String, Object> config(Section section) {
    Map<String, Object> config = new HashMap<>();
    Value properties = section.find("properties");
    if (properties != null) {
      properties.entries().forEach((name, value) -> config.put(name, value.text()));
    }
    config.put("bootstrap.servers", section.require("bootstrap-servers").text());
    return config;
  }

  private static KafkaSource options(Section section, KafkaSource source) {
    KafkaSource result = source;
    Value group = section.find("group");
    Value shareGroup = section.find("share-group");
    if ((group == null) == (shareGroup == null)) {
      throw section.error("needs exactly one of the keys group and share-group");
    }
    result = group == null ? result : group.parse(group.text(), result::group);
    result = shareGroup == null ? result : shareGroup.parse(shareGroup.text(), result::shareGroup);
    Value topology = section.find("topology");
    result = topology == null ? result : topology(topology, result);
    result = section.isOn("accept-gaps") ? result.acceptGaps() : result;
    Value tombstones = section.find("tombstones");
    result = tombstones == null ? result : tombstones(tombstones, result);
    Value span = section.find("span");
    return span == null ? result : span.parse(span.integer(), result::span);
  }

  private static KafkaSource topology(Value topology, KafkaSource source) {
    return switch (topology.text()) {
      case "auto" -> source;
      case "none" -> source.topologyNone();
      default -> throw topology.error("must be auto or none");
    };
  }

  private static KafkaSource tombstones(Value tombstones, KafkaSource source) {
    return switch (tombstones.text()) {
      case "skip" -> source;
      case "deliver" -> source.deliverTombstones();
      default -> throw tombstones.error("must be skip or deliver");
    };
  }

  private static List<String> findings(Map<String, Object> config, List<String> topics) {
    List<String> findings = new ArrayList<>();
    Map<String, Object> settings = new HashMap<>(config);
    settings.put("request.timeout.ms", ANSWER_MILLIS);
    settings.put("default.api.timeout.ms", ANSWER_MILLIS);
    try (Admin admin = Admin.create(settings)) {
      for (var asked : admin.describeTopics(topics).topicNameValues().entrySet()) {
        look(asked.getKey(), asked.getValue(), findings);
      }
    } catch (KafkaException e) {
      findings.add("the broker cannot be reached: " + reason(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return findings;
  }

  private static void look(String topic, KafkaFuture<?> answer, List<String> findings)
      throws InterruptedException {
    try {
      Object unused = answer.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      findings.add("the topic " + topic + " cannot be used: " + reason(cause));
    }
  }

  /** Kafka's own texts name topics and hosts; a configuration's values stay out. */
  private static String reason(Throwable failure) {
    return failure instanceof org.apache.kafka.common.config.ConfigException
            || failure.getMessage() == null
        ? failure.getClass().getSimpleName()
        : failure.getMessage();
  }
}
