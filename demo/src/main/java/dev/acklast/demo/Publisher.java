package dev.acklast.demo;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/**
 * The shop's side: publishes events and hears the broker confirm them. What was not confirmed is
 * published again under the same message id, also after the broker's restart. For one thread.
 */
final class Publisher {
  /** Names the sale of events whose body does not, because it is cut off. */
  static final String SALE_HEADER = "sale";

  private static final int CHUNK = 200;
  private static final Duration CONFIRM_LIMIT = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int PERSISTENT = 2;

  private final ConnectionFactory broker;

  Publisher(ConnectionFactory broker) {
    this.broker = broker.clone();
    this.broker.setAutomaticRecoveryEnabled(false);
  }

  /**
   * Returns when all are confirmed.
   *
   * @param progress is told how many are, again and again
   * @throws IOException if the broker confirms nothing for two minutes
   */
  void publish(List<SaleEvent> events, IntConsumer progress)
      throws IOException, InterruptedException {
    int confirmed = 0;
    long lastGood = System.nanoTime();
    while (confirmed < events.size()) {
      try (Connection connection = broker.newConnection("demo shop")) {
        Channel channel = connection.createChannel();
        channel.confirmSelect();
        while (confirmed < events.size()) {
          int end = Math.min(events.size(), confirmed + CHUNK);
          publishConfirmed(channel, events.subList(confirmed, end));
          confirmed = end;
          lastGood = System.nanoTime();
          progress.accept(confirmed);
        }
      } catch (IOException | TimeoutException | ShutdownSignalException e) {
        if (System.nanoTime() - lastGood > PATIENCE.toNanos()) {
          throw new IOException("The broker has confirmed nothing for " + PATIENCE, e);
        }
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }

  private static void publishConfirmed(Channel channel, List<SaleEvent> chunk)
      throws IOException, TimeoutException, InterruptedException {
    for (SaleEvent event : chunk) {
      BasicProperties properties =
          new BasicProperties.Builder()
              .contentType("application/json")
              .deliveryMode(PERSISTENT)
              .messageId(event.messageId())
              .headers(Map.of(SALE_HEADER, event.sale().id()))
              .build();
      channel.basicPublish(Queues.EXCHANGE, "", true, properties, event.sale().body());
    }
    channel.waitForConfirmsOrDie(CONFIRM_LIMIT.toMillis());
  }
}
