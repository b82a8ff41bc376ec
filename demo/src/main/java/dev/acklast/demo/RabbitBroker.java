package dev.acklast.demo;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.acklast.servers.QueueState;
import dev.acklast.servers.RabbitServer;
import dev.acklast.servers.Servers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** RabbitMQ: one exchange, and a quorum queue for each consumer that gets the same events. */
record RabbitBroker(RabbitServer server) implements Broker {
  static final String AMQP_URI = "AMQP_URI";
  static final String USUAL = "sales.usual";
  static final String USUAL_DEAD_LETTERS = "sales.usual.dlq";
  private static final String EXCHANGE = "sales";
  private static final String ACKLAST = "sales";
  private static final String ACKLAST_DEAD_LETTERS = "sales.dlq";

  static Broker start() {
    return new RabbitBroker(Servers.rabbit());
  }

  @Override
  public void declare() throws IOException, TimeoutException {
    try (Connection connection = server.connectionFactory().newConnection("demo topology");
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.FANOUT, true);
      for (String queue : new String[] {ACKLAST, USUAL}) {
        declareQuorum(channel, queue);
        channel.queueBind(queue, EXCHANGE, "");
      }
      // Acklast makes its own when it starts.
      declareQuorum(channel, USUAL_DEAD_LETTERS);
    }
  }

  private static void declareQuorum(Channel channel, String queue) throws IOException {
    channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
  }

  @Override
  public Outlet open() throws IOException, TimeoutException {
    ConnectionFactory factory = server.connectionFactory().clone();
    factory.setAutomaticRecoveryEnabled(false);
    Connection connection = factory.newConnection("demo shop");
    Channel channel = connection.createChannel();
    channel.confirmSelect();
    return new RabbitOutlet(connection, channel);
  }

  @Override
  public long unfinished() {
    return server.mainVirtualHost().queues().stream()
        .filter(queue -> !queue.name().endsWith(".dlq"))
        .mapToLong(QueueState::total)
        .sum();
  }

  @Override
  public long left() {
    return server.queue(ACKLAST).ready();
  }

  @Override
  public List<DeadLetter> deadLetters(Side side) throws IOException, TimeoutException {
    String queue = side == Side.ACKLAST ? ACKLAST_DEAD_LETTERS : USUAL_DEAD_LETTERS;
    List<DeadLetter> letters = new ArrayList<>();
    try (Connection connection = server.connectionFactory().newConnection("demo audit")) {
      Channel channel = connection.createChannel();
      // Nothing is acked: all come back when the channel closes.
      GetResponse response = channel.basicGet(queue, false);
      while (response != null) {
        letters.add(letter(response));
        response = channel.basicGet(queue, false);
      }
    }
    return letters;
  }

  private static DeadLetter letter(GetResponse response) {
    Map<String, Object> headers = response.getProps().getHeaders();
    Object sale = headers == null ? null : headers.get(Publisher.SALE_HEADER);
    return new DeadLetter(
        sale == null ? null : sale.toString(),
        response.getProps().getMessageId(),
        response.getBody());
  }

  @Override
  public boolean canRestart() {
    return server.canRestart();
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public Map<String, String> environment() {
    return Map.of(AMQP_URI, server.amqpUri());
  }

  @Override
  public List<String> hints() {
    return List.of(
        "The broker's pages: queues sales, sales.dlq, sales.usual, sales.usual.dlq",
        "  %s  user %s, password %s"
            .formatted(server.managementUri(), server.user(), server.password()));
  }

  @Override
  public String toString() {
    return server.toString();
  }

  @Override
  public void close() {
    server.close();
  }

  private record RabbitOutlet(Connection connection, Channel channel) implements Outlet {
    private static final Duration CONFIRM_LIMIT = Duration.ofSeconds(20);
    private static final int PERSISTENT = 2;

    @Override
    public int most() {
      return 200;
    }

    @Override
    public void publish(List<SaleEvent> events)
        throws IOException, TimeoutException, InterruptedException {
      for (SaleEvent event : events) {
        BasicProperties properties =
            new BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .messageId(event.messageId())
                .headers(Map.of(Publisher.SALE_HEADER, event.sale().id()))
                .build();
        channel.basicPublish(EXCHANGE, "", true, properties, event.sale().body());
      }
      channel.waitForConfirmsOrDie(CONFIRM_LIMIT.toMillis());
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }
}
