package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.Map;

/**
 * The few things that are looked for, or created, on the broker. Each uses a channel of its own.
 */
final class Declarations {
  /**
   * RabbitMQ 4 removes a message from a quorum queue after 20 returns unless told otherwise, and
   * each look at a dead letter in the management interface is one.
   */
  private static final int PRACTICALLY_UNLIMITED = 1_000_000;

  private Declarations() {}

  /** Creates a delay queue, or makes sure that it is as it must be. */
  static void delayQueue(Connection connection, String source, long millis) throws IOException {
    String name = Ladder.queueName(source, millis);
    Map<String, Object> arguments =
        Map.of(
            "x-queue-type", "quorum",
            "x-dead-letter-strategy", "at-least-once",
            "x-overflow", "reject-publish",
            "x-message-ttl", millis,
            "x-dead-letter-exchange", "",
            "x-dead-letter-routing-key", source);
    try {
      onChannel(connection, channel -> channel.queueDeclare(name, true, false, false, arguments));
    } catch (IOException e) {
      if (Diagnosis.code(e) == AMQP.ACCESS_REFUSED && exists(connection, name)) {
        return; // made by somebody who may, for us who may not
      }
      throw new TopologyException(cannotDelay(name, e), e);
    }
  }

  private static String cannotDelay(String name, IOException e) {
    String advice =
        switch (Diagnosis.code(e)) {
          case AMQP.ACCESS_REFUSED ->
              "grant configure, write and read on it (and write on amq.default), or choose"
                  + " topologyNone()";
          case AMQP.PRECONDITION_FAILED ->
              "delete it when it is empty if it was made otherwise; brokers before 3.10 cannot have"
                  + " it, choose topologyNone() there";
          default -> "see the broker's log";
        };
    return "the delay queue '"
        + name
        + "' cannot be used: "
        + advice
        + " ("
        + Diagnosis.text(e)
        + "). Retries wait in memory instead";
  }

  /** Looks for a dead-letter queue, and creates it if it is absent and that is wanted. */
  static void deadLetterQueue(Connection connection, String name, boolean create)
      throws IOException {
    try {
      if (exists(connection, name)) {
        return;
      }
      if (!create) {
        throw new TopologyException(
            "the dead-letter queue '" + name + "' is missing: create it, or name another", null);
      }
      Map<String, Object> arguments =
          Map.of(
              "x-queue-type", "quorum",
              "x-overflow", "reject-publish",
              "x-delivery-limit", PRACTICALLY_UNLIMITED);
      onChannel(connection, channel -> channel.queueDeclare(name, true, false, false, arguments));
    } catch (TopologyException e) {
      throw e;
    } catch (IOException e) {
      throw new TopologyException(
          "the dead-letter queue '"
              + name
              + "' cannot be had: create it, or grant the permission"
              + " to configure it ("
              + Diagnosis.text(e)
              + ")",
          e);
    }
  }

  /** Looks for a dead-letter exchange, which is never created. */
  static void deadLetterExchange(Connection connection, String name) throws IOException {
    try {
      onChannel(connection, channel -> channel.exchangeDeclarePassive(name));
    } catch (IOException e) {
      throw new TopologyException(
          "the dead-letter exchange '"
              + name
              + "' cannot be had: create it and bind a queue to it"
              + " ("
              + Diagnosis.text(e)
              + ")",
          e);
    }
  }

  private static boolean exists(Connection connection, String queue) throws IOException {
    try {
      onChannel(connection, channel -> channel.queueDeclarePassive(queue));
      return true;
    } catch (IOException e) {
      if (Diagnosis.code(e) == AMQP.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  private interface Call {
    void on(Channel channel) throws IOException;
  }

  /** What the broker refuses ends the channel: therefore one for each call. */
  private static void onChannel(Connection connection, Call call) throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("no channel is left on the connection: raise channel_max");
    }
    try {
      call.on(channel);
    } finally {
      if (channel.isOpen()) {
        channel.abort();
      }
    }
  }
}
