package dev.acklast.rabbitmq;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the management API says of one queue. Immutable.
 *
 * @param name the queue's name
 * @param json the answer's body
 */
record QueueFacts(String name, JsonNode json) {
  private static final int DEFAULT_LIMIT_SINCE_4 = 20;

  /** Whether the answer tells of policies: there is none, or this one. */
  boolean knowsPolicies() {
    return json.has("effective_policy_definition");
  }

  /** After how many deliveries the broker removes a message; null if it never does. */
  @Nullable Integer deliveries(int majorVersion) {
    OptionalLong limit = number("x-delivery-limit", "delivery-limit");
    boolean quorum = "quorum".equals(json.path("type").asText());
    if (quorum && limit.isEmpty() && majorVersion >= 4) {
      limit = OptionalLong.of(DEFAULT_LIMIT_SINCE_4);
    }
    if (!quorum || limit.isEmpty() || limit.getAsLong() < 0) {
      return null;
    }
    // The limit is on returns: a limit of 2 lets a message be delivered three times.
    return (int) Math.min(Integer.MAX_VALUE, limit.getAsLong() + 1);
  }

  /** How long a message may stay; null for ever. */
  @Nullable Duration retention() {
    OptionalLong millis = number("x-message-ttl", "message-ttl");
    return millis.isPresent() && millis.getAsLong() > 0
        ? Duration.ofMillis(millis.getAsLong())
        : null;
  }

  void warnAsSource(Options options, int majorVersion, List<String> warnings) {
    Integer deliveries = deliveries(majorVersion);
    String exchange = text("x-dead-letter-exchange", "dead-letter-exchange");
    if (deliveries != null && exchange == null) {
      warnings.add(
          "RabbitMQ drops a message of queue '"
              + name
              + "' for good at its delivery number "
              + (deliveries + 1L)
              + ": give the queue a dead-letter exchange by policy, or raise its"
              + " delivery-limit");
    }
    boolean safe = "at-least-once".equals(text("x-dead-letter-strategy", "dead-letter-strategy"));
    if (deliveries != null && exchange != null && !safe) {
      warnings.add(
          "RabbitMQ may lose what it dead-letters from queue '"
              + name
              + "' itself: set"
              + " dead-letter-strategy at-least-once and overflow reject-publish by policy");
    }
    boolean single = json.path("arguments").path("x-single-active-consumer").asBoolean(false);
    if (options.order() == Options.Order.SINGLE_ACTIVE && !single) {
      warnings.add(
          "Queue '"
              + name
              + "' has no single active consumer, so that order is not kept: declare it"
              + " with x-single-active-consumer, or choose exclusive()");
    }
  }

  /** The broker must not remove behind our back what we publish there. */
  void warnAsOutlet(String what, List<String> warnings) {
    boolean limited =
        number("x-max-length", "max-length").isPresent()
            || number("x-max-length-bytes", "max-length-bytes").isPresent();
    if (limited && !"reject-publish".equals(text("x-overflow", "overflow"))) {
      warnings.add(
          what
              + " '"
              + name
              + "' has a length limit and drops its oldest messages when full: set"
              + " overflow reject-publish, or lift the limit");
    }
    boolean isDelay = what.contains("delay");
    if (!isDelay && number("x-message-ttl", "message-ttl").isPresent()) {
      warnings.add(what + " '" + name + "' lets messages expire: lift its message-ttl");
    }
    if (number("x-expires", "expires").isPresent()) {
      warnings.add(what + " '" + name + "' is deleted when unused: lift its expires");
    }
  }

  /** The smaller of argument and policy, as the broker does. */
  private OptionalLong number(String argument, String policy) {
    JsonNode own = json.path("arguments").path(argument);
    JsonNode set = json.path("effective_policy_definition").path(policy);
    if (own.isNumber() && set.isNumber()) {
      return OptionalLong.of(Math.min(own.asLong(), set.asLong()));
    }
    JsonNode one = own.isNumber() ? own : set;
    return one.isNumber() ? OptionalLong.of(one.asLong()) : OptionalLong.empty();
  }

  private @Nullable String text(String argument, String policy) {
    JsonNode own = json.path("arguments").path(argument);
    JsonNode one = own.isTextual() ? own : json.path("effective_policy_definition").path(policy);
    return one.isTextual() ? one.asText() : null;
  }
}
