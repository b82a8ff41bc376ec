package dev.acklast;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The database's time, as far as a question now and then can tell. Thread-safe. */
final class DatabaseClock extends Clock {
  private volatile Duration offset = Duration.ZERO;

  /** Asks the database. */
  void adjust(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select clock_timestamp()")) {
      row.next();
      Instant theirs = row.getObject(1, OffsetDateTime.class).toInstant();
      offset = Duration.between(Instant.now(), theirs);
    }
  }

  @Override
  public Instant instant() {
    return Instant.now().plus(offset);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("this clock only tells instants");
  }
}
