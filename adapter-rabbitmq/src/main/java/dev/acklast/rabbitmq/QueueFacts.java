package dev.acklast.rabbitmq;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the management API says of one queue. Immutable.
 *
 * @param name the queue's name
 * @param json the answer's body
 */
record QueueFacts(String name, JsonNode json) {
  private static final String POLICIES = "effective_policy_definition";
  private static final int DEFAULT_LIMIT_SINCE_4 = 20;

  /** Whether the answer tells of policies: there is none, or this one. */
  boolean knowsPolicies() {
    return json.has(POLICIES);
  }

  /**
   * After how many deliveries the broker removes a message; null if it never does.
   *
   * @param version the broker's, as it tells it
   */
  @Nullable Integer deliveries(String version) {
    boolean quorum = "quorum".equals(json.path("type").asText());
    long unset = quorum && !version.startsWith("3.") ? DEFAULT_LIMIT_SINCE_4 : -1;
    long limit = quorum ? number("delivery-limit").orElse(unset) : unset;
    // The limit is on returns: a limit of 2 lets a message be delivered three times.
    return limit < 0 ? null : (int) Math.min(Integer.MAX_VALUE, limit + 1);
  }

  /** How long a message may stay; null for ever. */
  @Nullable Duration retention() {
    long millis = number("message-ttl").orElse(0);
    return millis > 0 ? Duration.ofMillis(millis) : null;
  }

  void warnAsSource(Options options, String version, List<String> warnings) {
    Integer deliveries = deliveries(version);
    if (deliveries != null && text("dead-letter-exchange") == null) {
      warnings.add(
          "RabbitMQ drops a message of queue '%s' for good at its delivery number %d: give the"
                  .formatted(name, deliveries + 1L)
              + " queue a dead-letter exchange by policy, or raise its delivery-limit");
    } else if (deliveries != null && !"at-least-once".equals(text("dead-letter-strategy"))) {
      warnings.add(
          "RabbitMQ may lose what it dead-letters from queue '%s' itself: set".formatted(name)
              + " dead-letter-strategy at-least-once and overflow reject-publish by policy");
    }
    boolean single = json.path("arguments").path("x-single-active-consumer").asBoolean(false);
    if (options.order() == Options.Order.SINGLE_ACTIVE && !single) {
      warnings.add(
          "Queue '%s' has no single active consumer, so that order is not kept:".formatted(name)
              + " declare it with x-single-active-consumer, or choose exclusive()");
    }
  }

  /**
   * The broker must not remove behind our back what we publish there.
   *
   * @param isDelay whether messages are to expire there
   */
  void warnAsOutlet(boolean isDelay, List<String> warnings) {
    String queue = "queue '" + name + "' ";
    boolean limited = number("max-length").isPresent() || number("max-length-bytes").isPresent();
    if (limited && !"reject-publish".equals(text("overflow"))) {
      String drops = "has a length limit and drops its oldest messages when full";
      warnings.add(queue + drops + ": set overflow reject-publish, or lift the limit");
    }
    if (!isDelay && number("message-ttl").isPresent()) {
      warnings.add(queue + "lets messages expire: lift its message-ttl");
    }
    if (number("expires").isPresent()) {
      warnings.add(queue + "is deleted when unused: lift its expires");
    }
  }

  /** The smaller of argument and policy, as the broker does. */
  private OptionalLong number(String name) {
    return values(name).filter(JsonNode::isNumber).mapToLong(JsonNode::asLong).min();
  }

  /** The argument before the policy, as the broker does. */
  private @Nullable String text(String name) {
    return values(name).filter(JsonNode::isTextual).findFirst().map(JsonNode::asText).orElse(null);
  }

  private Stream<JsonNode> values(String name) {
    return Stream.of(json.path("arguments").path("x-" + name), json.path(POLICIES).path(name));
  }
}
