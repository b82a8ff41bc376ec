package dev.acklast.servers;

import static dev.acklast.servers.RabbitEndpoint.encode;

import com.fasterxml.jackson.databind.JsonNode;
import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * One virtual host of a {@link RabbitServer}: its queues, policies, users and connections are apart
 * from all others, so that tests sharing a broker do not meet. Closing deletes it with everything
 * in it. Thread-safe.
 */
public final class VirtualHost implements AutoCloseable {
  private final RabbitEndpoint endpoint;
  private final ManagementApi management;
  private final AdminConnection administration;

  VirtualHost(RabbitEndpoint endpoint, ManagementApi management) {
    this.endpoint = endpoint;
    this.management = management;
    this.administration = new AdminConnection(endpoint);
  }

  /** Its name. */
  public String name() {
    return endpoint.virtualHost();
  }

  /** Its AMQP URI, with credentials: not to be logged. */
  public String amqpUri() {
    return endpoint.uri();
  }

  /** A new factory for connections to it. */
  public ConnectionFactory connectionFactory() {
    return endpoint.connectionFactory();
  }

  /**
   * A queue's state.
   *
   * @throws NoSuchElementException if there is no such queue
   */
  public QueueState queue(String name) {
    return findQueue(name)
        .orElseThrow(() -> new NoSuchElementException("No queue " + name + " in " + endpoint));
  }

  /** A queue's state, empty if there is no such queue. */
  public Optional<QueueState> findQueue(String name) {
    JsonNode queue = management.get("/api/queues/" + encode(name()) + "/" + encode(name));
    if (queue.isMissingNode()) {
      return Optional.empty();
    }
    return declaredPassively(name)
        .map(
            counts ->
                new QueueState(
                    name,
                    queue.path("type").asText(),
                    counts.getMessageCount(),
                    queue.path("messages_unacknowledged").asLong(),
                    queue.path("messages_dlx").asLong(),
                    counts.getConsumerCount(),
                    ManagementApi.toMap(queue.path("arguments"))));
  }

  /** The states of all queues, in no order; one that is deleted meanwhile is left out. */
  public List<QueueState> queues() {
    List<QueueState> states = new ArrayList<>();
    for (JsonNode queue : management.get("/api/queues/" + encode(name()) + "?columns=name")) {
      findQueue(queue.path("name").asText()).ifPresent(states::add);
    }
    return states;
  }

  private Optional<DeclareOk> declaredPassively(String queue) {
    try {
      return Optional.of(administration.call(channel -> channel.queueDeclarePassive(queue)));
    } catch (IOException e) {
      if (e.getCause() instanceof ShutdownSignalException signal
          && String.valueOf(signal.getReason()).contains("404")) {
        return Optional.empty();
      }
      throw new UncheckedIOException("The state of queue " + queue + " cannot be read", e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("The state of queue " + queue + " cannot be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while looking at queue " + queue, e);
    }
  }

  /**
   * Does something on a channel of its own, over a connection that is kept for such things. Not for
   * publishing: under an alarm the broker would not read from that connection any more.
   */
  public <R> R withChannel(ChannelWork<R> work)
      throws IOException, TimeoutException, InterruptedException {
    return administration.call(work);
  }

  /**
   * Creates a user, or replaces its password and rights, with rights in this virtual host alone.
   *
   * @param configure a regular expression of the names that it may declare and delete; empty for
   *     none, as for the other two
   * @param write of those that it may publish to or bind
   * @param read of those that it may consume from
   * @return the AMQP URI of this virtual host for that user, with credentials
   */
  public String createUser(
      String name, String password, String configure, String write, String read) {
    management.put("/api/users/" + encode(name), Map.of("password", password, "tags", ""));
    management.put(
        "/api/permissions/" + encode(name()) + "/" + encode(name),
        Map.of("configure", configure, "write", write, "read", read));
    return endpoint.withUser(name, password).uri();
  }

  /**
   * Creates or replaces a policy.
   *
   * @param pattern a regular expression of the names it applies to
   * @param definition the policy's keys, such as {@code max-length}
   * @param applyTo {@code queues}, {@code exchanges} or {@code all}
   */
  public void setPolicy(String name, String pattern, Map<String, ?> definition, String applyTo) {
    management.put(
        "/api/policies/" + encode(name()) + "/" + encode(name),
        Map.of("pattern", pattern, "definition", definition, "apply-to", applyTo));
  }

  /** Deletes a policy if there is one. */
  public void deletePolicy(String name) {
    management.delete("/api/policies/" + encode(name()) + "/" + encode(name));
  }

  /**
   * Closes all connections to this virtual host but our own, as an operator would.
   *
   * @return how many there were
   */
  public int closeAllConnections() {
    JsonNode connections = management.get("/api/vhosts/" + encode(name()) + "/connections");
    int closed = 0;
    for (JsonNode connection : connections) {
      if (connection.path("user_provided_name").asText().equals(AdminConnection.NAME)) {
        continue;
      }
      management.delete("/api/connections/" + encode(connection.path("name").asText()));
      closed++;
    }
    return closed;
  }

  /** Deletes this virtual host with all queues and connections. */
  @Override
  public void close() {
    administration.close();
    management.delete("/api/vhosts/" + encode(name()));
  }

  /** What this is and where, without credentials. */
  @Override
  public String toString() {
    return endpoint.toString();
  }
}
