package dev.acklast.chaos;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.Source;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Breaks a source: each delivery after the first is counted as an attempt, whatever ran. */
final class CountedDeliveries {
  private static final Logger log = LoggerFactory.getLogger(CountedDeliveries.class);
  private static final String COUNT =
      "insert into acklast_attempt as had (scope, key, attempts) values (?, ?, 1)"
          + " on conflict (scope, key) do update set attempts = had.attempts + 1";

  private CountedDeliveries() {}

  /**
   * @param database with connections beside those that the consumer needs
   */
  static Source in(Source sound, DataSource database) {
    return new TappedSource(
        sound,
        delivery -> {
          if (delivery.envelope().hint() != RedeliveryHint.FIRST) {
            count(database, delivery);
          }
          return delivery;
        });
  }

  private static void count(DataSource database, Delivery delivery) {
    Envelope envelope = delivery.envelope();
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(COUNT)) {
      statement.setString(1, Tables.SCOPE);
      statement.setString(2, String.valueOf(envelope.header(Letter.KEY_HEADER)));
      statement.executeUpdate();
    } catch (SQLException e) {
      log.debug("A delivery was not counted", e);
    }
  }
}
