package dev.acklast.demo;

import ch.qos.logback.classic.Level;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.concurrent.Executors;

/**
 * The consumer that is usually written, as a program of its own, to compare with.
 *
 * <p>It does what good guides say: manual ack, after the database's commit; a prefetch of 50 on
 * each of four channels; insert and update in one transaction; what cannot be decoded goes to a
 * dead-letter queue at once, what fails goes back to the queue and to the dead-letter queue at the
 * third failure, published with a confirm before the ack; the client recovers its connection. To
 * recognise what comes twice it remembers the message ids of the last hour, in memory.
 *
 * <p>That last sentence is all that is wrong with it: the shop sends a sale again under a new id,
 * another process has not seen the id, a killed process has forgotten it, and a month later
 * everybody has.
 */
final class UsualConsumer {
  static final String AMQP_URI = "AMQP_URI";
  static final String DB_URL = "DB_URL";
  static final String DB_USER = "DB_USER";
  static final String DB_PASSWORD = "DB_PASSWORD";

  static final int CHANNELS = 4;
  private static final int PREFETCH = 50;
  private static final Duration REMEMBERED = Duration.ofHours(1);

  private UsualConsumer() {}

  /**
   * Consumes until the process ends.
   *
   * @param args none; the environment says where
   * @throws Exception if broker or database cannot be reached
   */
  public static void main(String[] args) throws Exception {
    LogLevel.set(Level.WARN);
    ConnectionFactory broker = new ConnectionFactory();
    broker.setUri(System.getenv(AMQP_URI));
    HikariDataSource database = new HikariDataSource();
    database.setJdbcUrl(System.getenv(DB_URL));
    database.setUsername(System.getenv(DB_USER));
    database.setPassword(System.getenv(DB_PASSWORD));
    Cache<String, Boolean> seen = Caffeine.newBuilder().expireAfterWrite(REMEMBERED).build();

    Connection connection =
        broker.newConnection(Executors.newFixedThreadPool(CHANNELS), "usual consumer");
    for (int i = 0; i < CHANNELS; i++) {
      Channel channel = connection.createChannel();
      channel.basicQos(PREFETCH);
      Channel deadLetters = connection.createChannel();
      deadLetters.confirmSelect();
      UsualHandler handler = new UsualHandler(channel, deadLetters, database, seen);
      channel.basicConsume(Queues.USUAL, false, handler);
    }
  }
}
