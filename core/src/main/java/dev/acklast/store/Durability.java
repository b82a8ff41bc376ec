package dev.acklast.store;

import dev.acklast.spi.RefusedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Whether what the database confirms is there to stay. */
public final class Durability {
  private Durability() {}

  /**
   * Returns if commits on connections such as this one survive a crash of the database.
   *
   * @param acceptAsynchronousCommit whether the user has accepted that they may not
   * @throws RefusedException if {@code synchronous_commit} is off: a message would be acked whose
   *     effect a crash may still undo
   */
  public static void check(Connection connection, boolean acceptAsynchronousCommit)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show synchronous_commit")) {
      if (row.next() && row.getString(1).equals("off") && !acceptAsynchronousCommit) {
        throw new RefusedException(
            "synchronous_commit is off for this role, database or server: a crash of PostgreSQL"
                + " could undo effects whose messages have been acked. Set it to on for the role"
                + " (alter role … set synchronous_commit = on), or accept the loss"
                + " (acceptAsynchronousCommit)");
      }
    }
  }
}
