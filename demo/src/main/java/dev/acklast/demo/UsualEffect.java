package dev.acklast.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * What the consumers that are usually written do with a message, whatever their broker: insert and
 * update in one transaction, and the ack after its commit. To recognise what comes twice they
 * remember the message ids of the last hour, in memory. Thread-safe.
 *
 * <p>That last sentence is all that is wrong with them: the shop sends a sale again under a new id,
 * another process has not seen the id, a killed process has forgotten it, and a month later
 * everybody has.
 */
final class UsualEffect {
  static final String DB_URL = "DB_URL";
  static final String DB_USER = "DB_USER";
  static final String DB_PASSWORD = "DB_PASSWORD";
  static final int MAX_ATTEMPTS = 3;

  /** Printed when a consumer is at work. */
  static final String AT_WORK = "the usual consumer is at work";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration REMEMBERED = Duration.ofHours(1);

  private final DataSource database;
  private final Cache<String, Boolean> seen =
      Caffeine.newBuilder().expireAfterWrite(REMEMBERED).build();

  private UsualEffect(DataSource database) {
    this.database = database;
  }

  /** On the database that the environment names. */
  static UsualEffect fromEnvironment() {
    HikariDataSource database = new HikariDataSource();
    database.setJdbcUrl(System.getenv(DB_URL));
    database.setUsername(System.getenv(DB_USER));
    database.setPassword(System.getenv(DB_PASSWORD));
    return new UsualEffect(database);
  }

  /**
   * Applies a message, unless its id was seen.
   *
   * @throws IOException if the body is no JSON: another try would not help
   * @throws SQLException if it failed and was rolled back
   */
  void apply(String messageId, byte[] body) throws IOException, SQLException {
    if (seen.getIfPresent(messageId) == null) {
      apply(JSON.readTree(body));
      seen.put(messageId, true);
    }
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
}
