package dev.acklast.demo;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** The shop's topology: one exchange, and a queue for each consumer that gets the same events. */
final class Queues {
  static final String EXCHANGE = "sales";
  static final String ACKLAST = "sales";
  static final String USUAL = "sales.usual";

  private Queues() {}

  /** The queue for what cannot be applied. */
  static String deadLettersOf(String queue) {
    return queue + ".dlq";
  }

  static void declare(ConnectionFactory broker) throws IOException, TimeoutException {
    try (Connection connection = broker.newConnection("demo topology");
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.FANOUT, true);
      for (String queue : new String[] {ACKLAST, USUAL}) {
        declareQuorum(channel, queue);
        channel.queueBind(queue, EXCHANGE, "");
      }
      // Acklast makes its own when it starts.
      declareQuorum(channel, deadLettersOf(USUAL));
    }
  }

  private static void declareQuorum(Channel channel, String queue) throws IOException {
    channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
  }
}
