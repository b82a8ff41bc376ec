package dev.acklast.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * The user's client configuration, and what each of our clients makes of it. Immutable. Values may
 * be secrets: none is ever put into a text, but for the servers' addresses.
 */
final class ClientConfig {
  private static final AtomicInteger CLIENTS = new AtomicInteger();
  private static final int REQUEST_MILLIS = 10_000;
  private static final int ASK_MILLIS = 3_000;
  private static final int CONFIRM_MILLIS = 4_000;
  private static final int LARGEST_REQUEST = 64 << 20;

  private final Map<String, Object> user;

  private ClientConfig(Map<String, Object> user) {
    this.user = user;
  }

  static ClientConfig of(Map<String, ?> config) {
    Map<String, Object> copy = new HashMap<>(config);
    if (copy.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG) == null) {
      throw new IllegalArgumentException(
          "The client's configuration needs bootstrap.servers: host:9092, say");
    }
    return new ClientConfig(copy);
  }

  @Nullable String text(String key) {
    Object value = user.get(key);
    return value == null ? null : value.toString().trim();
  }

  /** The servers' addresses, for people. */
  String servers() {
    String servers = String.valueOf(user.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG));
    return servers.replaceAll("[\\[\\] ]", "");
  }

  /** Where a group without offsets begins: {@code earliest} unless the user says otherwise. */
  String reset() {
    String reset = text(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG);
    return reset == null ? "earliest" : reset;
  }

  /** How long the group lets a member go without a poll. */
  Duration longestPollInterval() {
    String text = text(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
    try {
      return text == null ? Duration.ofMinutes(5) : Duration.ofMillis(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "max.poll.interval.ms must be a number of milliseconds", e);
    }
  }

  /** For a member of a consumer group. Where it begins is not left to the client. */
  Map<String, Object> consumer(String group, String consumer) {
    Map<String, Object> all = common(consumer);
    all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    all.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return all;
  }

  /** What a share group reads: committed transactions only, unless the user says otherwise. */
  String isolation() {
    String isolation = text(ConsumerConfig.ISOLATION_LEVEL_CONFIG);
    return isolation == null ? "read_committed" : isolation;
  }

  /**
   * For a member of a share group, which knows neither offsets nor client-side assignment, and
   * takes no more than so many records at a time.
   */
  Map<String, Object> shareConsumer(String group, String consumer, int most) {
    Map<String, Object> all = common(consumer);
    all.put("share.acknowledgement.mode", "explicit");
    all.put("share.acquire.mode", "record_limit");
    all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, most);
    all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    all.remove(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG);
    all.remove(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
    all.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    all.remove(ConsumerConfig.ISOLATION_LEVEL_CONFIG);
    all.remove(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
    all.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    all.remove(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
    all.remove(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG);
    all.remove(ConsumerConfig.GROUP_PROTOCOL_CONFIG);
    all.remove(ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);
    return all;
  }

  /** Confirms by all replicas, or fails within the time that a dead letter may take. */
  Map<String, Object> producer(String consumer) {
    Map<String, Object> all = common(consumer);
    all.keySet()
        .removeIf(
            key ->
                ConsumerConfig.configNames().contains(key)
                    && !ProducerConfig.configNames().contains(key));
    all.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    all.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    all.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
    // a second one that overtakes the first on a new topic shuts the first out (KAFKA-15591)
    all.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, ASK_MILLIS);
    all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, CONFIRM_MILLIS);
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, ASK_MILLIS / 2);
    all.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_REQUEST); // the topic's decides
    all.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) LARGEST_REQUEST);
    all.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "gzip");
    return all;
  }

  /** For questions that somebody waits for. */
  Map<String, Object> admin(String consumer) {
    Map<String, Object> all = common(consumer);
    all.keySet()
        .removeIf(
            key ->
                (ConsumerConfig.configNames().contains(key)
                        || ProducerConfig.configNames().contains(key))
                    && !AdminClientConfig.configNames().contains(key));
    all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ASK_MILLIS);
    all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ASK_MILLIS);
    return all;
  }

  private Map<String, Object> common(String consumer) {
    Map<String, Object> all = new HashMap<>(user);
    all.remove(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG); // those for bytes are given instead
    all.remove(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
    all.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
    all.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
    all.putIfAbsent(
        ConsumerConfig.CLIENT_ID_CONFIG, "acklast-" + consumer + "-" + CLIENTS.incrementAndGet());
    all.putIfAbsent(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
    return all;
  }
}
