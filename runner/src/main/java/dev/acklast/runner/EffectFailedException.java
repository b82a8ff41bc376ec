package dev.acklast.runner;

import java.sql.SQLException;

/**
 * A statement of an effect failed. The text holds no payload; the cause is the database's own
 * error, of which core tells no more than the state and the names of table, column and constraint.
 */
final class EffectFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private EffectFailedException(String message, SQLException cause) {
    super(message, cause);
  }

  static EffectFailedException of(SQLException failure) {
    return new EffectFailedException(SqlFailure.describe(failure), SqlFailure.root(failure));
  }
}
