package dev.acklast.runner;

import java.sql.SQLException;

/**
 * A statement of an effect failed. The text holds no payload; the cause has nothing but the
 * SQLState, by which core tells outages and conflicts from faults.
 */
final class EffectFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private EffectFailedException(String message, SQLException cause) {
    super(message, cause);
  }

  static EffectFailedException of(SQLException failure) {
    String text = SqlFailure.describe(failure);
    return new EffectFailedException(
        text, new SQLException(text, SqlFailure.root(failure).getSQLState()));
  }
}
