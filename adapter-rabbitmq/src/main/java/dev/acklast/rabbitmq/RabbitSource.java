package dev.acklast.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * One or several RabbitMQ queues (classic or quorum) as the source of a consumer. Immutable and
 * thread-safe: each option returns a new value.
 *
 * <p>Queues, exchanges and bindings of the user are never declared or changed. Unless {@link
 * #topologyNone} is chosen, delay queues ({@code <queue>.acklast.retry.<delay>}) and a missing
 * dead-letter queue are created.
 *
 * <p>In the envelope, the source is the queue's name and the position {@code <queue>#<delivery
 * tag>}. There is no record key: a routing key says which way a message takes, not which message it
 * is.
 */
public final class RabbitSource implements Source {
  private final ConnectionFactory factory;
  private final Options options;

  private RabbitSource(ConnectionFactory factory, Options options) {
    this.factory = factory;
    this.options = options;
  }

  /**
   * One queue.
   *
   * @param factory how to reach the broker: copied, never altered. Its automatic recovery is not
   *     used; its TLS settings, heartbeat, virtual host, credentials provider and metrics collector
   *     are
   * @param queue an existing queue's name
   */
  public static RabbitSource queue(ConnectionFactory factory, String queue) {
    return queues(factory, List.of(queue));
  }

  /**
   * Several queues of one virtual host. The prefetch is divided among them; a queue that is missing
   * does not hold up the others.
   *
   * @param factory as for {@link #queue(ConnectionFactory, String)}
   * @param queues at least one, each once
   */
  public static RabbitSource queues(ConnectionFactory factory, List<String> queues) {
    return new RabbitSource(factory.clone(), Options.of(queues));
  }

  /**
   * One queue, with the broker given as URI. For {@code amqps} the server's certificate is verified
   * against the JVM's trust store, and its host name too; whoever needs more gives a {@link
   * ConnectionFactory}.
   *
   * @param uri {@code amqp://user:password@host:5672/virtual-host}, percent-encoded; its
   *     credentials appear in no name, log or exception
   * @param queue an existing queue's name
   * @throws IllegalArgumentException if this is no such URI
   */
  public static RabbitSource queue(String uri, String queue) {
    return queue(parse(uri), queue);
  }

  /** As {@link #queue(String, String)}, for several queues of one virtual host. */
  public static RabbitSource queues(String uri, List<String> queues) {
    return queues(parse(uri), queues);
  }

  /**
   * Sends dead letters to this exchange instead of to a queue. It must exist and route them: it is
   * looked for at start, and never created.
   */
  public RabbitSource deadLetterExchange(String exchange, String routingKey) {
    return new RabbitSource(factory, options.withDeadLetterExchange(exchange, routingKey));
  }

  /**
   * Creates nothing on the broker: needs no configure permission. Retries then wait in memory, and
   * the dead-letter target must exist.
   */
  public RabbitSource topologyNone() {
    return new RabbitSource(factory, options.withoutTopology());
  }

  /**
   * Consumes exclusively, so that order can be kept: further instances wait, and say so in their
   * health, until this one is gone.
   */
  public RabbitSource exclusive() {
    return new RabbitSource(factory, options.withOrder(Options.Order.EXCLUSIVE));
  }

  /**
   * States that the queues were declared with {@code x-single-active-consumer}, so that order can
   * be kept. AMQP does not tell; with {@link #management} a wrong statement is found.
   */
  public RabbitSource singleActiveConsumer() {
    return new RabbitSource(factory, options.withOrder(Options.Order.SINGLE_ACTIVE));
  }

  /**
   * The broker's {@code consumer_timeout}, or the queue's {@code x-consumer-timeout}: how long a
   * delivery may stay unsettled before the broker takes it back. It cannot be read over AMQP.
   *
   * @param timeout positive; 30 minutes by default, as the broker's
   */
  public RabbitSource consumerTimeout(Duration timeout) {
    return new RabbitSource(factory, options.withConsumerTimeout(timeout));
  }

  /**
   * Lets the start-up check read what AMQP does not tell: delivery limits, expiry, length limits of
   * dead-letter and delay queues, dead-letter strategy. Needs a user with the tag {@code
   * management}.
   *
   * @param uri the HTTP API's base, {@code http://localhost:15672} say. Without {@code
   *     user:password@} the AMQP user's name and password are used; credentials appear in no log
   */
  public RabbitSource management(URI uri) {
    if (uri.getHost() == null || !List.of("http", "https").contains(uri.getScheme())) {
      throw new IllegalArgumentException(
          "The management address must look like http://localhost:15672 or https://…");
    }
    return new RabbitSource(factory, options.withManagement(uri));
  }

  @Override
  public String name() {
    return "rabbitmq:" + String.join(",", options.queues());
  }

  @Override
  public String system() {
    return "rabbitmq";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(
        options.creates(),
        options.ordered() ? Capabilities.Order.ON_REQUEST : Capabilities.Order.NONE);
  }

  @Override
  public Subscription subscribe(SourceSettings settings, Sink sink) {
    return new RabbitSubscription(factory, options, settings, sink);
  }

  /** The name, which is free of credentials. */
  @Override
  public String toString() {
    return name();
  }

  private static ConnectionFactory parse(String uri) {
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(uri);
      if (factory.isSSL()) {
        factory.useSslProtocol(SSLContext.getDefault());
        factory.enableHostnameVerification();
      }
      return factory;
    } catch (URISyntaxException | GeneralSecurityException | RuntimeException e) {
      // The client throws a NullPointerException for a URI without a scheme. Neither message nor
      // cause may be passed on: they quote the URI with its password.
      throw new IllegalArgumentException(
          "The AMQP URI cannot be read: it must look like amqp://user:password@host:5672/vhost, with"
              + " special characters percent-encoded (a virtual host named / is %2F)");
    }
  }
}
