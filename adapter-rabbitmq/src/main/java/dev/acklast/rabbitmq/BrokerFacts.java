package dev.acklast.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.spi.Facts;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what the start-up check needs to know: little over AMQP, more with the management API. */
final class BrokerFacts {
  private final Options options;
  private final @Nullable ManagementApi management;

  BrokerFacts(Options options, ConnectionFactory factory) {
    URI address = options.management();
    this.options = options;
    this.management = address == null ? null : new ManagementApi(address, factory);
  }

  /**
   * Never throws for what could not be read: that is a warning.
   *
   * @param known what is to be warned of already
   */
  Facts read(Connection connection, List<Outlets> sources, List<String> known) {
    List<String> warnings = new ArrayList<>(known);
    if (connection.getHeartbeat() == 0) {
      warnings.add(
          "Heartbeats are off, so a connection that hangs is never noticed: set requestedHeartbeat"
              + " to 10 s, say");
    }
    Integer limit = null;
    Duration retention = null;
    if (management != null) {
      String version = String.valueOf(connection.getServerProperties().get("version"));
      for (Outlets outlets : sources) {
        String queue = outlets.source();
        QueueFacts facts = read(management, queue, true, warnings).orElse(null);
        if (facts != null) {
          facts.warnAsSource(options, version, warnings);
          limit = smaller(limit, facts.deliveries(version));
          retention = smaller(retention, facts.retention());
        }
        for (String name : outlets.queues().toList()) {
          boolean isDelay = Ladder.isRung(queue, name);
          read(management, name, false, warnings)
              .ifPresent(outlet -> outlet.warnAsOutlet(isDelay, warnings));
        }
      }
    }
    return new Facts(options.consumerTimeout(), limit, retention, warnings);
  }

  private static Optional<QueueFacts> read(
      ManagementApi api, String queue, boolean withPolicies, List<String> warnings) {
    try {
      return Optional.of(withPolicies ? api.queueWithPolicies(queue) : api.queue(queue));
    } catch (IOException e) {
      String finding = "The management API did not tell about queue '" + queue + "'";
      warnings.add(finding + ", so that its limits are not checked: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static <T extends Comparable<T>> @Nullable T smaller(@Nullable T one, @Nullable T other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) <= 0 ? one : other;
  }
}
