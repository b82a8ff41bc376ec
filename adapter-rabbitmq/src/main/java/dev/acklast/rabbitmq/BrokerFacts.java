package dev.acklast.rabbitmq;

import com.rabbitmq.client.Connection;
import dev.acklast.spi.Facts;
import dev.acklast.spi.SourceSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what the start-up check needs to know: little over AMQP, more with the management API. */
final class BrokerFacts {
  private final Options options;
  private final SourceSettings settings;
  private final @Nullable ManagementApi management;

  BrokerFacts(Options options, SourceSettings settings, Connector connector) {
    this.options = options;
    this.settings = settings;
    this.management =
        options.management() == null ? null : new ManagementApi(options.management(), connector);
  }

  /** Never throws for what could not be read: that is a warning. */
  Facts read(Connection connection) {
    List<String> warnings = new ArrayList<>();
    if (connection.getHeartbeat() == 0) {
      warnings.add(
          "Heartbeats are off, so a connection that hangs is never noticed: set requestedHeartbeat"
              + " to 10 s, say");
    }
    Integer limit = null;
    Duration retention = null;
    if (management != null) {
      int major = majorVersion(connection);
      for (String name : options.queues()) {
        QueueFacts queue = fetch(management::queueWithPolicies, name, warnings);
        if (queue != null) {
          queue.warnAsSource(options, major, warnings);
          limit = smaller(limit, queue.deliveries(major));
          retention = smaller(retention, queue.retention());
        }
        warnAboutOutlets(management, name, warnings);
      }
    }
    return new Facts(options.consumerTimeout(), limit, retention, warnings);
  }

  private void warnAboutOutlets(ManagementApi api, String name, List<String> warnings) {
    if (options.deadLetterExchange() == null) {
      QueueFacts deadLetters = fetch(api::queue, Outlets.deadLetterQueue(name, settings), warnings);
      if (deadLetters != null) {
        deadLetters.warnAsOutlet("the dead-letter queue", warnings);
      }
    }
    if (options.createsTopology() && !settings.ordered()) {
      String top = Ladder.queueName(name, new Ladder(settings.longestDelay()).top());
      QueueFacts delays = fetch(api::queue, top, warnings);
      if (delays != null) {
        delays.warnAsOutlet("the delay queue", warnings);
      }
    }
  }

  private interface Reading {
    QueueFacts of(String queue) throws IOException;
  }

  private static @Nullable QueueFacts fetch(Reading reading, String queue, List<String> warnings) {
    try {
      return reading.of(queue);
    } catch (IOException e) {
      warnings.add(
          "The management API did not tell about queue '"
              + queue
              + "', so that its limits are not"
              + " checked: "
              + e.getMessage());
      return null;
    }
  }

  private static int majorVersion(Connection connection) {
    Map<String, Object> server = connection.getServerProperties();
    String version = String.valueOf(server.get("version"));
    int dot = version.indexOf('.');
    try {
      return dot < 0 ? 0 : Integer.parseInt(version.substring(0, dot));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static <T extends Comparable<T>> @Nullable T smaller(@Nullable T one, @Nullable T other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) <= 0 ? one : other;
  }
}
