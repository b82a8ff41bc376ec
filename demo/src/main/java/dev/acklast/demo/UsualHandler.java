package dev.acklast.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Cache;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@link UsualConsumer} does with each message. One for each channel; not thread-safe. */
final class UsualHandler extends DefaultConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(UsualHandler.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DELIVERY_COUNT = "x-delivery-count";
  private static final int MAX_ATTEMPTS = 3;
  private static final int CONFIRM_MILLIS = 10_000;

  private final Channel deadLetters;
  private final DataSource database;
  private final Cache<String, Boolean> seen;

  UsualHandler(
      Channel channel, Channel deadLetters, DataSource database, Cache<String, Boolean> seen) {
    super(channel);
    this.deadLetters = deadLetters;
    this.database = database;
    this.seen = seen;
  }

  @Override
  public void handleDelivery(
      String consumerTag, Envelope envelope, BasicProperties properties, byte[] body)
      throws IOException {
    long tag = envelope.getDeliveryTag();
    try {
      if (seen.getIfPresent(properties.getMessageId()) == null) {
        apply(JSON.readTree(body));
        seen.put(properties.getMessageId(), true);
      }
    } catch (IOException e) {
      deadLetter(tag, properties, body);
      return;
    } catch (SQLException e) {
      LOG.warn("Message {} failed: SQLSTATE {}", properties.getMessageId(), e.getSQLState());
      if (attempts(properties) < MAX_ATTEMPTS) {
        getChannel().basicNack(tag, false, true);
      } else {
        deadLetter(tag, properties, body);
      }
      return;
    }
    getChannel().basicAck(tag, false);
  }

  private void apply(JsonNode sale) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        apply(connection, sale);
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      }
    }
  }

  private static void apply(Connection connection, JsonNode sale) throws SQLException {
    int seller = sale.path("sellerId").asInt();
    BigDecimal amount = sale.path("amount").decimalValue();
    try (PreparedStatement insert =
            connection.prepareStatement(
                "insert into commission(sale_id, seller_id, amount) values (?, ?, ?)");
        PreparedStatement update =
            connection.prepareStatement("update seller set balance = balance + ? where id = ?")) {
      insert.setString(1, sale.path("saleId").asText());
      insert.setInt(2, seller);
      insert.setBigDecimal(3, amount);
      insert.executeUpdate();
      update.setBigDecimal(1, amount);
      update.setInt(2, seller);
      update.executeUpdate();
    }
  }

  /** Deliveries so far, this one included; quorum queues count them. */
  private static int attempts(BasicProperties properties) {
    Object before =
        properties.getHeaders() == null ? null : properties.getHeaders().get(DELIVERY_COUNT);
    return before instanceof Number number ? number.intValue() + 1 : 1;
  }

  private void deadLetter(long tag, BasicProperties properties, byte[] body) throws IOException {
    try {
      deadLetters.basicPublish("", Queues.deadLettersOf(Queues.USUAL), properties, body);
      deadLetters.waitForConfirmsOrDie(CONFIRM_MILLIS);
      getChannel().basicAck(tag, false);
    } catch (TimeoutException e) {
      getChannel().basicNack(tag, false, true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the process ends; the message comes again
    }
  }
}
