package dev.acklast.runner;

import static dev.acklast.runner.ConfigKey.NONE;
import static dev.acklast.runner.ConfigKey.REQUIRED;

import java.util.List;

/** A mapping of the configuration file, and all keys that it may have. */
enum Block {
  FILE(
      "",
      key("database", "a mapping", REQUIRED),
      key("consumers", "a mapping, one entry per consumer", REQUIRED)),
  DATABASE(
      "database",
      key("url", "jdbc:postgresql://…", REQUIRED),
      key("user", "text", "as the URL says"),
      key("password", "text", "as the URL says"),
      key("schema", "a-z, 0-9, _; 1 to 63 characters", "the search path's first"),
      key("create-tables", "true, false", "true"),
      key("pool-size", "1 to 1000", "all lanes + 2"),
      key("accept-asynchronous-commit", "true, false", "false")),
  CONSUMER(
      "consumers.NAME",
      key("source", "a mapping with one kind of source", REQUIRED),
      key("key", "/pointer, header:NAME, record-key, message-id, or a list of them", REQUIRED),
      key("effect", "SQL, or a list of SQL", REQUIRED),
      key("scope", "1 to 200 characters", "the consumer's name"),
      key("dead-letter", "a queue's name, or a mapping", "as the source says"),
      key("max-attempts", "1 to 1000", "5"),
      key("backoff", "a mapping", "see there"),
      key("handler-timeout", "1ms to 12h", "30s"),
      key("concurrency", "1 to 1000", "4"),
      key("prefetch", "1 to 65535", "250"),
      key("batch-size", "1 to 1000", "100"),
      key("ordered-by", "as key", NONE),
      key("drain", "0s to 12h", "25s"),
      key("retention", "1s to 36500d", "90d"),
      key("event-time", "/pointer, header:NAME, timestamp", NONE),
      key("allow-expired", "true, false", "false"),
      key("max-bytes", "1 to 536870912", "10485760"),
      key("max-depth", "1 to 10000", "1000")),
  BACKOFF(
      "consumers.NAME.backoff",
      key("initial-interval", "above 0, up to max-interval", "1s"),
      key("multiplier", "1 to 100", "2"),
      key("max-interval", "up to 12h", "5m"),
      key("jitter", "0 to 1", "0.2")),
  DEAD_LETTER(
      "consumers.NAME.dead-letter",
      key("exchange", "an exchange's name", REQUIRED),
      key("routing-key", "text", REQUIRED)),
  SOURCE(
      "consumers.NAME.source",
      key("rabbitmq", "a mapping", NONE),
      key("kafka", "a mapping", NONE),
      key("sqs", "a mapping", NONE)),
  RABBITMQ(
      "consumers.NAME.source.rabbitmq",
      key("uri", "amqp://… or amqps://…", REQUIRED),
      key("queue", "a queue's name", "this or queues is required"),
      key("queues", "a list of queues' names", "this or queue is required"),
      key("topology", "auto, none", "auto"),
      key("exclusive", "true, false", "false"),
      key("single-active-consumer", "true, false", "false"),
      key("consumer-timeout", "above 0", "30m"),
      key("management", "http://… or https://…", NONE)),
  KAFKA(
      "consumers.NAME.source.kafka",
      key("bootstrap-servers", "host:port, or several with commas", REQUIRED),
      key("topics", "a list of topics' names", REQUIRED),
      key("group", "a consumer group's name", "this or share-group is required"),
      key("share-group", "a share group's name", "this or group is required"),
      key("properties", "a mapping of Kafka's client properties", NONE),
      key("topology", "auto, none", "auto"),
      key("tombstones", "skip, deliver", "skip"),
      key("accept-gaps", "true, false", "false"),
      key("span", "1 to 1000000", "5000")),
  SQS(
      "consumers.NAME.source.sqs",
      key("queue", "a queue's name, URL or ARN", "this or queues is required"),
      key("queues", "a list of queues' names, URLs or ARNs", "this or queue is required"),
      key("region", "a region's name", "as the AWS environment says"),
      key("endpoint", "http://… or https://…", "the region's"),
      key("topology", "auto, none", "auto"),
      key("visibility-timeout", "2s to 12h, whole seconds", "30s"),
      key("long-poll", "1s to 20s, whole seconds", "3s"),
      key("polls", "1 to 100", "8"),
      key("unwrap-sns", "true, false", "false"));

  private final String path;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<ConfigKey> keys;

  Block(String path, ConfigKey... keys) {
    this.path = path;
    this.keys = List.of(keys);
  }

  /** Where it stands, with {@code NAME} for what users name themselves. */
  String path() {
    return path;
  }

  List<ConfigKey> keys() {
    return keys;
  }

  List<String> names() {
    return keys.stream().map(ConfigKey::name).toList();
  }

  private static ConfigKey key(String name, String range, String fallback) {
    return new ConfigKey(name, range, fallback);
  }
}
