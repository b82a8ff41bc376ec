package dev.acklast.servers;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a private RabbitMQ server is configured. Immutable.
 *
 * @param consumerTimeout how long a delivery may stay unsettled before the broker closes its
 *     channel, at least 1 s; empty for the broker's own default of 30 min. The broker checks once a
 *     second here, so it fires up to about a second late.
 * @param configuration further lines of {@code rabbitmq.conf}, by key
 */
public record RabbitOptions(Optional<Duration> consumerTimeout, Map<String, String> configuration) {

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException if the timeout is shorter than 1 s, or a key or value holds a
   *     line break
   */
  public RabbitOptions {
    if (consumerTimeout.isPresent() && consumerTimeout.get().toMillis() < 1000) {
      throw new IllegalArgumentException("consumerTimeout must be 1 s or more");
    }
    configuration.forEach(
        (key, value) -> {
          if ((key + value).lines().count() != 1) {
            throw new IllegalArgumentException(
                "A configuration key and its value must be one line: " + key.strip());
          }
        });
    configuration = Map.copyOf(configuration);
  }

  /** The broker's defaults. */
  public static RabbitOptions defaults() {
    return new RabbitOptions(Optional.empty(), Map.of());
  }

  /** The same with another consumer timeout, at least 1 s. */
  public RabbitOptions withConsumerTimeout(Duration timeout) {
    return new RabbitOptions(Optional.of(timeout), configuration);
  }

  /** The same with one more line of {@code rabbitmq.conf}. */
  public RabbitOptions with(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(configuration);
    more.put(key, value);
    return new RabbitOptions(consumerTimeout, more);
  }
}
