package dev.acklast.it;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import dev.acklast.servers.ChannelWork;
import dev.acklast.servers.VirtualHost;
import dev.acklast.spi.Envelope;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** What cases do on a broker beside consuming. */
record RabbitAdmin(VirtualHost host) {
  private static final int PERSISTENT = 2;
  private static final long CONFIRM_MILLIS = 20_000;
  private static final int HANDSHAKE_MILLIS = 60_000;

  void declare(String queue, String type) {
    call(channel -> channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", type)));
  }

  /** A queue that nothing fits into. */
  void declareFull(String queue) {
    Map<String, Object> arguments = Map.of("x-max-length", 0, "x-overflow", "reject-publish");
    call(channel -> channel.queueDeclare(queue, true, false, false, arguments));
  }

  void delete(String queue) {
    call(channel -> channel.queueDelete(queue));
  }

  void publish(String queue, List<Envelope> messages) {
    publishing(
        channel -> {
          channel.confirmSelect();
          for (Envelope message : messages) {
            channel.basicPublish("", queue, true, properties(message), message.body());
          }
          channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
          return true;
        });
  }

  /** All that is ready; it is given back when the channel closes. */
  List<Envelope> look(String queue) {
    return call(
        channel -> {
          List<Envelope> all = new ArrayList<>();
          GetResponse next = channel.basicGet(queue, false);
          while (next != null) {
            all.add(envelope(queue, next));
            next = channel.basicGet(queue, false);
          }
          return all;
        });
  }

  void move(String from, String to) {
    publishing(
        channel -> {
          channel.confirmSelect();
          GetResponse next = channel.basicGet(from, false);
          while (next != null) {
            channel.basicPublish("", to, true, next.getProps(), next.getBody());
            channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
            channel.basicAck(next.getEnvelope().getDeliveryTag(), false);
            next = channel.basicGet(from, false);
          }
          return true;
        });
  }

  private <R> R call(ChannelWork<R> work) {
    return asked(() -> host.withChannel(work));
  }

  private <R> void publishing(ChannelWork<R> work) {
    ConnectionFactory own = host.connectionFactory();
    own.setAutomaticRecoveryEnabled(false);
    own.setHandshakeTimeout(HANDSHAKE_MILLIS);
    asked(
        () -> {
          try (Connection connection = own.newConnection("contract");
              Channel channel = connection.createChannel()) {
            return work.on(channel);
          }
        });
  }

  private static <R> R asked(Callable<R> work) {
    try {
      return work.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (Exception e) {
      throw new IllegalStateException("the broker did not do as the case asked", e);
    }
  }

  private static AMQP.BasicProperties properties(Envelope message) {
    return new AMQP.BasicProperties.Builder()
        .deliveryMode(PERSISTENT)
        .headers(message.headers())
        .messageId(message.messageId())
        .contentType(message.contentType())
        .contentEncoding(message.contentEncoding())
        .timestamp(message.timestamp() == null ? null : Date.from(message.timestamp()))
        .build();
  }

  private static Envelope envelope(String queue, GetResponse response) {
    AMQP.BasicProperties properties = response.getProps();
    Map<String, @Nullable Object> headers = new LinkedHashMap<>();
    if (properties.getHeaders() != null) {
      properties.getHeaders().forEach((name, value) -> headers.put(name, plain(value)));
    }
    headers.remove("x-delivery-count");
    return Envelope.of(queue, response.getBody())
        .headers(headers)
        .messageId(properties.getMessageId())
        .contentType(properties.getContentType())
        .contentEncoding(properties.getContentEncoding())
        .build();
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return value instanceof LongString text ? text.toString() : value;
  }
}
