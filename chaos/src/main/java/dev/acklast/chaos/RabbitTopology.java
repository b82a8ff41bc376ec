package dev.acklast.chaos;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The user's side of RabbitMQ: the source queue, and an exchange with a queue for dead letters,
 * which can go missing without taking any letter along. Immutable.
 *
 * @param type {@code classic} or {@code quorum}
 */
record RabbitTopology(ConnectionFactory factory, String type) {
  static final String SOURCE = "work";
  static final String DEAD_EXCHANGE = "work.dlx";
  static final String DEAD_ROUTE = "dead";
  static final String DEAD_QUEUE = "work.dead";

  /** What is done over a connection of its own. */
  interface Call<R> {
    R on(Channel channel) throws IOException, InterruptedException, TimeoutException;
  }

  <R> R call(Call<R> work) throws IOException, InterruptedException, TimeoutException {
    ConnectionFactory own = factory.clone();
    own.setAutomaticRecoveryEnabled(false);
    own.setConnectionTimeout(5_000);
    own.setChannelRpcTimeout(10_000);
    try (Connection connection = own.newConnection("chaos")) {
      return work.on(connection.createChannel());
    }
  }

  void declare() throws IOException, InterruptedException, TimeoutException {
    declareSource();
    call(channel -> channel.queueDeclare(DEAD_QUEUE, true, false, false, arguments("quorum")));
    declareDeadLetters();
  }

  void declareSource() throws IOException, InterruptedException, TimeoutException {
    call(channel -> channel.queueDeclare(SOURCE, true, false, false, arguments(type)));
  }

  /**
   * Refusing is set from the start: a policy that sets it along with a length would have a classic
   * queue drop what it holds, as the length is applied first.
   */
  private static Map<String, Object> arguments(String type) {
    return Map.of("x-queue-type", type, "x-overflow", "reject-publish");
  }

  /** Takes along what is in it. */
  void deleteSource() throws IOException, InterruptedException, TimeoutException {
    call(channel -> channel.queueDelete(SOURCE));
  }

  void declareDeadLetters() throws IOException, InterruptedException, TimeoutException {
    call(
        channel -> {
          channel.exchangeDeclare(DEAD_EXCHANGE, BuiltinExchangeType.DIRECT, true);
          return channel.queueBind(DEAD_QUEUE, DEAD_EXCHANGE, DEAD_ROUTE);
        });
  }

  /** The queue stays, with all letters, but nothing leads there. */
  void unbindDeadLetters() throws IOException, InterruptedException, TimeoutException {
    call(channel -> channel.queueUnbind(DEAD_QUEUE, DEAD_EXCHANGE, DEAD_ROUTE));
  }

  void deleteDeadExchange() throws IOException, InterruptedException, TimeoutException {
    call(channel -> channel.exchangeDelete(DEAD_EXCHANGE));
  }
}
