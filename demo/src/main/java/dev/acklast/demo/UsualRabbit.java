package dev.acklast.demo;

import ch.qos.logback.classic.Level;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.util.concurrent.Executors;

/**
 * The consumer that is usually written for RabbitMQ, as a program of its own, to compare with.
 *
 * <p>It does what good guides say: manual ack, after the database's commit; a prefetch of 50 on
 * each of four channels; what cannot be decoded goes to a dead-letter queue at once, what fails
 * goes back to the queue and to the dead-letter queue at the third failure, published with a
 * confirm before the ack; the client recovers its connection.
 */
final class UsualRabbit {
  private static final int CHANNELS = 4;
  private static final int PREFETCH = 50;

  private UsualRabbit() {}

  /**
   * Consumes until the process ends.
   *
   * @param args none; the environment says where
   * @throws Exception if broker or database cannot be reached
   */
  public static void main(String[] args) throws Exception {
    LogLevel.set(Level.WARN);
    ConnectionFactory broker = new ConnectionFactory();
    broker.setUri(System.getenv(RabbitBroker.AMQP_URI));
    UsualEffect effect = UsualEffect.fromEnvironment();
    Connection connection =
        broker.newConnection(Executors.newFixedThreadPool(CHANNELS), "usual consumer");
    for (int i = 0; i < CHANNELS; i++) {
      Channel channel = connection.createChannel();
      channel.basicQos(PREFETCH);
      Channel deadLetters = connection.createChannel();
      deadLetters.confirmSelect();
      channel.basicConsume(
          RabbitBroker.USUAL, false, new UsualRabbitHandler(channel, deadLetters, effect));
    }
    System.out.println(UsualEffect.AT_WORK);
  }
}
