package dev.acklast.chaos;

import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Facts;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broken source: each delivery after the first is counted as an attempt, whatever ran. */
record CountedDeliveries(Source sound, DataSource database) implements Source {
  private static final Logger log = LoggerFactory.getLogger(CountedDeliveries.class);
  private static final String COUNT =
      "insert into acklast_attempt as had (scope, key, attempts) values (?, ?, 1)"
          + " on conflict (scope, key) do update set attempts = had.attempts + 1";

  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public String system() {
    return sound.system();
  }

  @Override
  public Capabilities capabilities() {
    return sound.capabilities();
  }

  @Override
  public Subscription subscribe(SourceSettings settings, Sink sink) {
    return sound.subscribe(
        settings,
        new Sink() {
          @Override
          public void opened(Facts facts) {
            sink.opened(facts);
          }

          @Override
          public void deliver(Delivery delivery) {
            if (delivery.envelope().hint() != RedeliveryHint.FIRST) {
              count(delivery.envelope());
            }
            sink.deliver(delivery);
          }
        });
  }

  private void count(Envelope envelope) {
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
