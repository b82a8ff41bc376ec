package dev.acklast.servers;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One connection for all that a test asks of a virtual host beside consuming, as a handshake for
 * each look at a queue costs more than the look. Opened when needed, and again when it is lost.
 * Nothing is published over it: a broker under an alarm stops reading from whoever has.
 * Thread-safe.
 */
final class AdminConnection implements AutoCloseable {
  static final String NAME = "acklast tests: administration";
  private static final int HANDSHAKE_MILLIS = 60_000;

  private final RabbitEndpoint endpoint;
  private @Nullable Connection connection;

  AdminConnection(RabbitEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** Does something on a channel of its own. */
  <R> R call(ChannelWork<R> work) throws IOException, TimeoutException, InterruptedException {
    try (Channel channel = channel()) {
      return work.on(channel);
    }
  }

  private synchronized Channel channel() throws IOException, TimeoutException {
    if (connection != null && connection.isOpen()) {
      try {
        return connection.openChannel().orElseThrow(() -> new IOException("no channel is left"));
      } catch (IOException | AlreadyClosedException e) {
        connection.abort(0); // the broker was restarted, and it shows only now
      }
    }
    ConnectionFactory factory = endpoint.connectionFactory();
    factory.setAutomaticRecoveryEnabled(false);
    factory.setHandshakeTimeout(HANDSHAKE_MILLIS);
    connection = factory.newConnection(NAME);
    return connection.openChannel().orElseThrow(() -> new IOException("no channel is left"));
  }

  @Override
  public synchronized void close() {
    if (connection != null) {
      connection.abort(0);
    }
  }
}
