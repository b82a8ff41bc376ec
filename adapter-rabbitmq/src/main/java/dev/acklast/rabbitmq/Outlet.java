package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.acklast.spi.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place that copies go to: one delay queue, or the dead-letter target. It is looked for before
 * the first copy, and again before the next one after a copy did not arrive. Thread-safe.
 */
final class Outlet {
  /**
   * RabbitMQ 4 removes a message from a quorum queue after 20 returns unless told otherwise, and
   * each look at a dead letter in the management interface is one.
   */
  private static final int PRACTICALLY_UNLIMITED = 1_000_000;

  private static final long LOOK_AGAIN = Duration.ofSeconds(2).toNanos();
  private static final long FADES_AFTER = Duration.ofMinutes(1).toNanos();

  private final String exchange;
  private final String routingKey;
  private final String description;
  private final Look look;
  private volatile boolean found;
  private volatile @Nullable Trouble trouble;

  private interface Call {
    void on(Channel channel) throws IOException;
  }

  /** How it is looked for: if the broker refuses the first call with this code, by the second. */
  private record Look(Call first, int code, Call second, String cure) {}

  /** What is wrong, since when; a copy's trouble fades, as core may not try again here. */
  private record Trouble(String sentence, boolean ofCopy, long since) {
    boolean isOlderThan(long nanos) {
      return System.nanoTime() - since > nanos;
    }
  }

  private Outlet(String exchange, String routingKey, String description, Look look) {
    this.exchange = exchange;
    this.routingKey = routingKey;
    this.description = description;
    this.look = look;
  }

  /** A delay queue: made as it must be; one that somebody else made for us is used. */
  static Outlet delayQueue(String source, long millis) {
    String name = Ladder.queueName(source, millis);
    Map<String, Object> arguments =
        Map.of(
            "x-queue-type", "quorum",
            "x-dead-letter-strategy", "at-least-once",
            "x-overflow", "reject-publish",
            "x-message-ttl", millis,
            "x-dead-letter-exchange", "",
            "x-dead-letter-routing-key", source);
    String cure =
        "grant configure, write and read on it (and write on amq.default), delete a queue of that"
            + " name that was made otherwise, or choose topologyNone(), as for brokers before 3.10."
            + " Retries wait in memory instead";
    Look look = new Look(declare(name, arguments), AMQP.ACCESS_REFUSED, passive(name), cure);
    return new Outlet("", name, "the delay queue '" + name + "'", look);
  }

  /** A dead-letter queue: used as it is, and created if it is absent and that is wanted. */
  static Outlet deadLetterQueue(String name, boolean create) {
    Map<String, Object> arguments =
        Map.of(
            "x-queue-type", "quorum",
            "x-overflow", "reject-publish",
            "x-delivery-limit", PRACTICALLY_UNLIMITED);
    Call otherwise = create ? declare(name, arguments) : passive(name);
    String cure = "create it, grant the permission to configure it, or name another";
    Look look = new Look(passive(name), AMQP.NOT_FOUND, otherwise, cure);
    return new Outlet("", name, "the dead-letter queue '" + name + "'", look);
  }

  /** A dead-letter exchange, which is never created. */
  static Outlet deadLetterExchange(String name, String routingKey) {
    Call passive = channel -> channel.exchangeDeclarePassive(name);
    Look look = new Look(passive, AMQP.NOT_FOUND, passive, "create it and bind a queue to it");
    return new Outlet(name, routingKey, "the dead-letter exchange '" + name + "'", look);
  }

  private static Call declare(String queue, Map<String, Object> arguments) {
    return channel -> channel.queueDeclare(queue, true, false, false, arguments);
  }

  private static Call passive(String queue) {
    return channel -> channel.queueDeclarePassive(queue);
  }

  /** For sentences: {@code the dead-letter queue 'x'}. */
  String description() {
    return description;
  }

  /** The queue that it is, unless it is an exchange. */
  Optional<String> queue() {
    return exchange.isEmpty() ? Optional.of(routingKey) : Optional.empty();
  }

  /** Sends a copy there; one that cannot be routed comes back. */
  void send(Channel on, BasicProperties properties, byte[] body) throws IOException {
    on.basicPublish(exchange, routingKey, true, properties, body);
  }

  /**
   * Makes sure that it is there, if that is not known; blocks for the broker's answers.
   *
   * @throws RefusedException if it is not; a recent finding is repeated without asking again
   */
  void ready(Connection connection) {
    Trouble known = trouble;
    if (known != null && !known.ofCopy() && !known.isOlderThan(LOOK_AGAIN)) {
      throw new RefusedException(known.sentence());
    }
    if (!found) {
      lookFor(connection);
    }
  }

  /** Looks for it again, whatever is known; otherwise as {@link #ready}. */
  void lookFor(Connection connection) {
    try {
      call(connection);
      found = true;
      trouble = null;
    } catch (IOException e) {
      found = false;
      String finding = Diagnosis.code(e) == AMQP.NOT_FOUND ? " is missing: " : " cannot be used: ";
      String sentence = description + finding + look.cure() + Diagnosis.reason(e);
      trouble = new Trouble(sentence, false, System.nanoTime());
      throw new RefusedException(sentence);
    }
  }

  private void call(Connection connection) throws IOException {
    try {
      onChannel(connection, look.first());
    } catch (IOException first) {
      if (Diagnosis.code(first) != look.code()) {
        throw first;
      }
      try {
        onChannel(connection, look.second());
      } catch (IOException second) {
        throw Diagnosis.code(second) == AMQP.NOT_FOUND ? first : second; // whichever tells more
      }
    }
  }

  /** What the broker refuses ends the channel: therefore one for each call. */
  private static void onChannel(Connection connection, Call call) throws IOException {
    Channel channel = Connector.channel(connection);
    try {
      call.on(channel);
    } finally {
      Connector.abort(channel);
    }
  }

  /** A copy has arrived there. */
  void worked() {
    trouble = null;
  }

  /** A copy could not be brought there. */
  void failed(String sentence) {
    found = false;
    trouble = new Trouble(sentence, true, System.nanoTime());
  }

  /** What is wrong with it, as far as known; null if nothing is. */
  @Nullable String trouble() {
    Trouble known = trouble;
    if (known == null || (known.ofCopy() && known.isOlderThan(FADES_AFTER))) {
      return null;
    }
    return known.sentence();
  }
}
