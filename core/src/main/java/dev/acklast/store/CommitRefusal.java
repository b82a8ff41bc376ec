package dev.acklast.store;

import java.sql.SQLException;
import java.util.Set;
import org.postgresql.util.PSQLException;

/** Tells a commit that the server has refused from one whose answer nobody knows. Pure. */
final class CommitRefusal {
  /** Only a server that has decided against the transaction answers with these classes. */
  private static final Set<String> REFUSED =
      Set.of(
          "0A", "21", "22", "23", "25", "27", "2D", "38", "39", "40", "42", "44", "54", "55", "P0");

  /** Connection lost, server going away, system and internal errors: they may follow the commit. */
  private static final Set<String> DOUBTFUL = Set.of("08", "53", "58", "F0", "XX");

  private CommitRefusal() {}

  /**
   * Whether {@code failure}, thrown by a commit, proves that nothing was committed. Whatever leaves
   * a doubt is no proof.
   */
  static boolean proves(Throwable failure) {
    if (!(failure instanceof SQLException sql) || sql.getSQLState() == null) {
      return false;
    }
    String state = sql.getSQLState();
    if (state.length() != 5 || state.equals("40003") || state.equals("25P04")) {
      return false;
    }
    String kind = state.substring(0, 2);
    if (REFUSED.contains(kind) || state.equals("57014")) {
      return true;
    }
    // A deferred trigger may raise any state it likes; it is the server's word all the same.
    return !DOUBTFUL.contains(kind)
        && !kind.equals("57")
        && sql instanceof PSQLException postgres
        && postgres.getServerErrorMessage() != null;
  }
}
