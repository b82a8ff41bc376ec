package dev.acklast.demo;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@link UsualRabbit} does with each message. One for each channel; not thread-safe. */
final class UsualRabbitHandler extends DefaultConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(UsualRabbitHandler.class);
  private static final String DELIVERY_COUNT = "x-delivery-count";
  private static final int CONFIRM_MILLIS = 10_000;

  private final Channel deadLetters;
  private final UsualEffect effect;

  UsualRabbitHandler(Channel channel, Channel deadLetters, UsualEffect effect) {
    super(channel);
    this.deadLetters = deadLetters;
    this.effect = effect;
  }

  @Override
  public void handleDelivery(
      String consumerTag, Envelope envelope, BasicProperties properties, byte[] body)
      throws IOException {
    long tag = envelope.getDeliveryTag();
    try {
      effect.apply(properties.getMessageId(), body);
    } catch (IOException e) {
      deadLetter(tag, properties, body);
      return;
    } catch (SQLException e) {
      LOG.warn("Message {} failed: SQLSTATE {}", properties.getMessageId(), e.getSQLState());
      if (attempts(properties) < UsualEffect.MAX_ATTEMPTS) {
        getChannel().basicNack(tag, false, true);
      } else {
        deadLetter(tag, properties, body);
      }
      return;
    }
    getChannel().basicAck(tag, false);
  }

  /** Deliveries so far, this one included; quorum queues count them. */
  private static int attempts(BasicProperties properties) {
    Object before =
        properties.getHeaders() == null ? null : properties.getHeaders().get(DELIVERY_COUNT);
    return before instanceof Number number ? number.intValue() + 1 : 1;
  }

  private void deadLetter(long tag, BasicProperties properties, byte[] body) throws IOException {
    try {
      deadLetters.basicPublish("", RabbitBroker.USUAL_DEAD_LETTERS, properties, body);
      deadLetters.waitForConfirmsOrDie(CONFIRM_MILLIS);
      getChannel().basicAck(tag, false);
    } catch (TimeoutException e) {
      getChannel().basicNack(tag, false, true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the process ends; the message comes again
    }
  }
}
