package dev.acklast.store;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a failure of our own connection means. A pure function of types and SQLStates, never of
 * texts, which come in the server's language.
 */
public enum DatabaseFailure {
  /** The database cannot be reached, or cannot work at present: nobody's fault. */
  OUTAGE,
  /** Serialization failure or deadlock: to be tried again. */
  CONFLICT,
  /** A lock was not had in time. */
  LOCK_TIMEOUT,
  /** Everything else. */
  OTHER;

  /**
   * Classifies {@code failure} by all its causes and all their {@linkplain
   * SQLException#getNextException() next exceptions}; where they differ, the first in the order
   * above wins.
   */
  public static DatabaseFailure of(Throwable failure) {
    DatabaseFailure worst = OTHER;
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> unseen = new ArrayDeque<>();
    unseen.push(failure);
    while (!unseen.isEmpty()) {
      Throwable each = unseen.pop();
      if (!seen.add(each)) {
        continue;
      }
      if (each instanceof SQLException sql) {
        DatabaseFailure found = ofOne(sql);
        worst = found.compareTo(worst) < 0 ? found : worst;
        push(unseen, sql.getNextException());
      }
      push(unseen, each.getCause());
    }
    return worst;
  }

  private static void push(Deque<Throwable> unseen, @Nullable Throwable next) {
    if (next != null) {
      unseen.push(next);
    }
  }

  private static DatabaseFailure ofOne(SQLException failure) {
    if (failure instanceof SQLTransientConnectionException
        || failure instanceof SQLNonTransientConnectionException) {
      return OUTAGE;
    }
    String state = failure.getSQLState();
    if (state == null) {
      return failure.getCause() instanceof IOException ? OUTAGE : OTHER;
    }
    return switch (state) {
      case "25006" -> OUTAGE;
      case "40001", "40P01" -> CONFLICT;
      case Sql.LOCK_TIMEOUT -> LOCK_TIMEOUT;
      default ->
          state.startsWith("08") || state.startsWith("57P") || state.startsWith("53")
              ? OUTAGE
              : OTHER;
    };
  }
}
