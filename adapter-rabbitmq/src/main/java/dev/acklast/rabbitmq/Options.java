package dev.acklast.rabbitmq;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user has chosen. Immutable.
 *
 * @param queues at least one, each once
 * @param exchange for dead letters; null where they go to a queue through the default exchange
 * @param routingKey for {@code exchange}
 * @param creates whether delay queues and a missing dead-letter queue may be created
 * @param order how one consumer at a time comes to have the queues
 * @param consumerTimeout the broker's delivery acknowledgement timeout
 * @param management the HTTP API's base address, which may carry credentials
 */
record Options(
    List<String> queues,
    @Nullable String exchange,
    String routingKey,
    boolean creates,
    Order order,
    Duration consumerTimeout,
    @Nullable URI management) {

  /** How order is kept: not at all, by consuming exclusively, or by the queue's declaration. */
  enum Order {
    NONE,
    EXCLUSIVE,
    SINGLE_ACTIVE
  }

  private static final Duration BROKERS_TIMEOUT = Duration.ofMinutes(30);
  private static final int LONGEST_NAME = 255;

  Options {
    queues = List.copyOf(queues);
    if (queues.isEmpty()) {
      throw new IllegalArgumentException("Name at least one queue to consume from");
    }
    queues.forEach(queue -> checkName("queue", queue));
    if (new HashSet<>(queues).size() < queues.size()) {
      throw new IllegalArgumentException("Each queue can be named once only: " + queues);
    }
    if (consumerTimeout.isNegative() || consumerTimeout.isZero()) {
      throw new IllegalArgumentException(
          "consumerTimeout must be positive, not " + consumerTimeout + ": give the broker's");
    }
  }

  static Options of(List<String> queues) {
    return new Options(queues, null, "", true, Order.NONE, BROKERS_TIMEOUT, null);
  }

  Options withDeadLetterExchange(String name, String key) {
    checkName("dead-letter exchange", name);
    return new Options(queues, name, key, creates, order, consumerTimeout, management);
  }

  Options withoutTopology() {
    return new Options(queues, exchange, routingKey, false, order, consumerTimeout, management);
  }

  Options withOrder(Order kept) {
    if (order != Order.NONE && order != kept) {
      throw new IllegalArgumentException(
          "Choose one of exclusive() and singleActiveConsumer(): RabbitMQ refuses an exclusive"
              + " consumer on a queue with a single active consumer");
    }
    return new Options(queues, exchange, routingKey, creates, kept, consumerTimeout, management);
  }

  Options withConsumerTimeout(Duration timeout) {
    return new Options(queues, exchange, routingKey, creates, order, timeout, management);
  }

  Options withManagement(URI uri) {
    return new Options(queues, exchange, routingKey, creates, order, consumerTimeout, uri);
  }

  boolean ordered() {
    return order != Order.NONE;
  }

  static void checkName(String what, String name) {
    if (name.isBlank() || name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "The name of a " + what + " must have 1 to 255 bytes and be more than blanks");
    }
  }
}
