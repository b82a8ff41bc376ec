package dev.acklast.chaos;

import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.rabbitmq.RabbitSource;
import dev.acklast.spi.Source;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Objects;

/** A worker's source on RabbitMQ. */
final class RabbitSources {
  /** The variable with the address, which has credentials. */
  static final String URI = "CHAOS_AMQP_URI";

  /** Two missed heartbeats end a connection: a worker that is stopped for longer is given up. */
  private static final int HEARTBEAT_SECONDS = 4;

  private RabbitSources() {}

  static Source of(Map<String, String> environment) {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(Objects.requireNonNull(environment.get(URI), URI));
    } catch (URISyntaxException | GeneralSecurityException e) {
      throw new IllegalStateException(URI + " cannot be read");
    }
    factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    return RabbitSource.queue(factory, RabbitTopology.SOURCE)
        .deadLetterExchange(RabbitTopology.DEAD_EXCHANGE, RabbitTopology.DEAD_ROUTE);
  }
}
