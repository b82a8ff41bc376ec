package dev.acklast.runner;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Says of a failed statement what is no payload: the driver's text of a failed batch holds the
 * statement with its values, and the server's texts quote values too.
 */
final class SqlFailure {
  /** Classes of SQLState whose texts speak of names, locks and the server, not of values. */
  private static final Set<String> SPEAKING =
      Set.of("08", "25", "28", "3D", "3F", "40", "42", "53", "55", "57", "58");

  private static final Set<String> COMMON =
      Set.of("08", "25", "28", "3D", "40", "53", "55", "57", "58", "XX");

  private SqlFailure() {}

  /**
   * Whether a statement failed for what one message says. Conflicts, waits, cancellations and what
   * ails the server or the connection say nothing of a message.
   */
  static boolean isOfOneMessage(SQLException failure) {
    String state = root(failure).getSQLState();
    return state != null && state.length() == 5 && !COMMON.contains(state.substring(0, 2));
  }

  /** SQLState, names, and the text where it quotes no values. */
  static String describe(SQLException thrown) {
    SQLException failure = root(thrown);
    String state = failure.getSQLState();
    ServerErrorMessage server =
        failure instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    StringBuilder text = new StringBuilder("SQLSTATE ").append(state == null ? "unknown" : state);
    if (server != null) {
      add(text, "constraint", server.getConstraint());
      add(text, "table", server.getTable());
      add(text, "column", server.getColumn());
      add(text, "type", server.getDatatype());
    }
    if (state != null && state.length() == 5 && SPEAKING.contains(state.substring(0, 2))) {
      text.append(": ").append(server == null ? failure.getMessage() : server.getMessage());
    }
    return text.toString();
  }

  /** A batch's exception only wraps that of the statement which failed. */
  static SQLException root(SQLException failure) {
    SQLException next = failure.getNextException();
    if (next != null) {
      return root(next);
    }
    return failure.getCause() instanceof SQLException cause ? root(cause) : failure;
  }

  private static void add(StringBuilder text, String what, @Nullable String name) {
    if (name != null) {
      text.append(", ").append(what).append(' ').append(name);
    }
  }
}
