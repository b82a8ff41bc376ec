package dev.acklast;

import java.sql.Connection;
import org.jdbi.v3.core.Handle;

/**
 * The transaction that holds claim and effect. Valid on the calling thread until the handler
 * returns. Acklast commits and rolls back: the handle and the connection refuse commit and
 * rollback, the connection also close and a change of auto-commit, with an {@link
 * IllegalStateException}; nested Jdbi transactions join; savepoints work. Closing the handle closes
 * its statements and nothing else.
 */
public interface EffectTransaction {
  /** Jdbi's handle on the transaction. */
  Handle handle();

  /** The plain JDBC connection of the transaction. */
  Connection connection();
}
