package dev.acklast.testkit;

import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import java.util.List;

/**
 * A broker that delivers at least once and lives in this process's memory. Thread-safe. It keeps
 * its messages across {@link #restart()} as a durable broker does, and loses them with the process.
 *
 * <p>Queues are first in, first out; a message that was given back stands where it stood. A
 * delivery stays with its consumer until it is settled, its lease ends or its connection is gone;
 * it then comes back as {@link dev.acklast.spi.RedeliveryHint#SUSPECT}. A dead letter of queue
 * {@code q} goes to {@code q.dlq} unless the consumer names another.
 */
public final class InMemoryBroker {
  private final QueueServer server = new QueueServer();

  /** A source of these queues, with {@link InMemoryOptions#standard()}. */
  public Source source(String... queues) {
    return source(InMemoryOptions.standard(), queues);
  }

  /**
   * A source of these queues.
   *
   * @param queues at least one, distinct; need not exist yet
   */
  public Source source(InMemoryOptions options, String... queues) {
    List<String> names = List.of(queues);
    if (names.isEmpty() || names.stream().distinct().count() != names.size()) {
      throw new IllegalArgumentException("name at least one queue, and each only once");
    }
    return new InMemorySource(server, options, names);
  }

  /** Creates a queue; does nothing if it is there. */
  public void createQueue(String queue) {
    server.run(() -> server.create(queue));
  }

  /** Whether there is such a queue. */
  public boolean hasQueue(String queue) {
    return server.read(() -> server.find(queue) != null);
  }

  /** Deletes a queue with its messages, the unsettled ones included; delayed retries wait on. */
  public void deleteQueue(String queue) {
    server.run(() -> server.delete(queue));
  }

  /** Drops all ready messages of a queue. */
  public void purge(String queue) {
    server.run(() -> server.require(queue).purge());
  }

  /**
   * Puts a message into a queue. Its source, position and hint are the broker's to say.
   *
   * @throws IllegalStateException if the queue is missing or does not take it, or the broker is
   *     down
   */
  public void publish(String queue, Envelope message) {
    String refusal = server.change(() -> server.publish(queue, message));
    if (refusal != null) {
      throw new IllegalStateException("not published: " + refusal);
    }
  }

  /** Messages that could be delivered now; 0 if there is no such queue. */
  public int ready(String queue) {
    return server.read(() -> count(queue, true));
  }

  /** Messages that consumers have; 0 if there is no such queue. */
  public int unsettled(String queue) {
    return server.read(() -> count(queue, false));
  }

  private int count(String queue, boolean ready) {
    MemoryQueue found = server.find(queue);
    if (found == null) {
      return 0;
    }
    return ready ? found.readyCount() : found.unsettledCount();
  }

  /** Messages that wait for the end of their retry's delay. */
  public int delayed(String queue) {
    return server.read(() -> server.delayed(queue));
  }

  /**
   * Messages that are not settled for good: ready, unsettled and delayed ones, counted at one
   * moment, since they move from one to the other.
   */
  public int left(String queue) {
    return server.read(() -> count(queue, true) + count(queue, false) + server.delayed(queue));
  }

  /** The ready messages of a queue in order, a dead-letter queue say; they stay there. */
  public List<Envelope> messages(String queue) {
    return server.read(() -> server.require(queue).contents());
  }

  /** Sets or, with {@link QueueFault#NONE}, mends what is wrong with a queue. */
  public void fault(QueueFault fault, String queue) {
    server.run(() -> server.require(queue).fault(fault));
  }

  /** Cuts all connections; what was unsettled goes back. Consumers reconnect. */
  public void cutConnections() {
    server.run(server::cutAll);
  }

  /** Stops and comes back at once: what was unsettled goes back, old ackers are late. */
  public void restart() {
    server.run(
        () -> {
          server.up(false);
          server.up(true);
        });
  }

  /** As {@link #restart()}, but no message's past is known any more: all come as suspects. */
  public void crash() {
    server.run(
        () -> {
          server.up(false);
          server.suspectAll();
          server.up(true);
        });
  }

  /** Stops; messages stay. */
  public void down() {
    server.run(() -> server.up(false));
  }

  /** Starts again after {@link #down()}. */
  public void up() {
    server.run(() -> server.up(true));
  }

  /** Answers nothing and delivers nothing, while all connections stay. */
  public void freeze() {
    server.run(server::freeze);
  }

  /** Goes on after {@link #freeze()} with what has piled up. */
  public void thaw() {
    server.run(server::thaw);
  }
}
