package dev.acklast;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The database's time, as far as a question now and then can tell. From one question to the next it
 * goes on with the JVM's monotonic clock: a wall clock that is wrong, or that somebody sets right,
 * changes nothing. Thread-safe.
 */
final class DatabaseClock extends Clock {
  /** Before the first question it is 1970, so that nothing is too old. */
  private volatile Reading last = new Reading(Instant.EPOCH, System.nanoTime());

  private record Reading(Instant theirs, long nanos) {}

  /** Asks the database. */
  void adjust(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select clock_timestamp()")) {
      row.next();
      Instant theirs = row.getObject(1, OffsetDateTime.class).toInstant();
      last = new Reading(theirs, System.nanoTime());
    }
  }

  @Override
  public Instant instant() {
    Reading reading = last;
    return reading.theirs().plusNanos(System.nanoTime() - reading.nanos());
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
