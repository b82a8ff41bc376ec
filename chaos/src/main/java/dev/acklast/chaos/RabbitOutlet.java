package dev.acklast.chaos;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Publishes to RabbitMQ, mandatory and with confirms. */
final class RabbitOutlet implements Outlet {
  private static final int PERSISTENT = 2;
  private static final int ANSWER_SECONDS = 10;

  private final Connection connection;
  private final Channel channel;
  private final NavigableMap<Long, Message> waiting = new ConcurrentSkipListMap<>();
  private final Set<String> returned = ConcurrentHashMap.newKeySet();
  private volatile Consumer<Message> confirmed = message -> {};
  private volatile CountDownLatch answers = new CountDownLatch(0);
  private volatile boolean refused;

  private RabbitOutlet(Connection connection) throws IOException {
    this.connection = connection;
    this.channel = connection.createChannel();
    channel.confirmSelect();
    channel.addReturnListener(message -> returned.add(message.getProperties().getMessageId()));
    channel.addConfirmListener(
        (tag, multiple) -> answered(tag, multiple, true),
        (tag, multiple) -> answered(tag, multiple, false));
  }

  static RabbitOutlet open(ConnectionFactory factory) throws IOException, TimeoutException {
    ConnectionFactory own = factory.clone();
    own.setAutomaticRecoveryEnabled(false);
    own.setConnectionTimeout(5_000);
    own.setRequestedHeartbeat(4);
    Connection connection = own.newConnection("chaos producer");
    try {
      return new RabbitOutlet(connection);
    } catch (IOException | RuntimeException e) {
      connection.abort();
      throw e;
    }
  }

  @Override
  public void publish(List<Message> messages, Consumer<Message> taken)
      throws IOException, InterruptedException, TimeoutException {
    confirmed = taken;
    refused = false;
    answers = new CountDownLatch(messages.size());
    for (Message message : messages) {
      waiting.put(channel.getNextPublishSeqNo(), message);
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .contentType("application/json")
              .deliveryMode(PERSISTENT)
              .messageId(message.id())
              .headers(Map.of(Letter.KEY_HEADER, message.key(), Letter.ID_HEADER, message.id()))
              .build();
      channel.basicPublish("", RabbitTopology.SOURCE, true, properties, message.body());
    }
    if (!answers.await(ANSWER_SECONDS, TimeUnit.SECONDS)) {
      throw new TimeoutException("no confirm within " + ANSWER_SECONDS + " s");
    }
    if (refused) {
      throw new IOException("the broker has refused or returned a publish");
    }
  }

  /** A returned message is confirmed too, and comes back before its confirm. */
  private void answered(long tag, boolean multiple, boolean ack) {
    NavigableMap<Long, Message> meant =
        multiple ? waiting.headMap(tag, true) : waiting.subMap(tag, true, tag, true);
    for (Message message : List.copyOf(meant.values())) {
      if (ack && !returned.remove(message.id())) {
        confirmed.accept(message);
      } else {
        refused = true;
      }
      answers.countDown();
    }
    meant.clear();
  }

  @Override
  public void close() {
    connection.abort(1_000);
  }
}
