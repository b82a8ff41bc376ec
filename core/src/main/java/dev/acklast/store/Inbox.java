package dev.acklast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/**
 * The claims of one scope. The unique index on (scope, key) decides who applies an effect, and
 * nothing else does. Immutable and thread-safe; every method works in the transaction of the
 * connection that it is given, and neither commits nor rolls back.
 */
public final class Inbox {
  private final String scope;
  private final String claim;
  private final String unclaim;
  private final String claimed;
  private final BusyKeys busyKeys;

  /** The claims of {@code scope}, which is not blank, in {@code tables}. */
  public Inbox(Tables tables, String scope) {
    this.scope = scope;
    // Sorted, so that two batches wait for each other in one order only and cannot deadlock. The
    // settings travel along in the same round trip; after a failure the rollback restores them.
    this.claim =
        """
        select set_config('acklast.lock_timeout', current_setting('lock_timeout'), true),
               set_config('lock_timeout', ?, true);
        %s returning key;
        select set_config('lock_timeout', current_setting('acklast.lock_timeout'), true)"""
            .formatted(insert(tables));
    this.unclaim = "delete from " + tables.claim() + " where scope = ? and key = any(?)";
    this.claimed = "select key from " + tables.claim() + " where scope = ? and key = any(?)";
    this.busyKeys = new BusyKeys(scope, insert(tables));
  }

  private static String insert(Tables tables) {
    return """
        insert into %s (scope, key, version, claimed_at)
        select ?::text, k, 1, clock_timestamp() from unnest(?::text[]) as k order by k collate "C"
        on conflict (scope, key) do nothing"""
        .formatted(tables.claim());
  }

  /**
   * Claims {@code keys} for the connection's transaction, in one round trip. The transaction's own
   * {@code lock_timeout} is the same before and after.
   *
   * @param keys well-formed Unicode without U+0000; may be empty, and then nothing is sent
   * @param wait how long to wait for each key that an open transaction holds; 1 ms at least
   * @return the keys that this transaction has now claimed; the others were claimed before: they
   *     are duplicates. In the order of their bytes
   * @throws SQLException with SQLState 55P03 if the wait ran out, 40001 if the isolation level
   *     forbids to look past a claim that was committed meanwhile; the transaction is then aborted
   */
  public Set<String> claim(Connection connection, Collection<String> keys, Duration wait)
      throws SQLException {
    if (keys.isEmpty()) {
      return Set.of();
    }
    try (PreparedStatement statement = connection.prepareStatement(claim)) {
      // A default fetch size in the URL would leave rows behind in a portal.
      statement.setFetchSize(0);
      statement.setString(1, Sql.timeout(wait));
      statement.setString(2, scope);
      statement.setArray(3, Sql.texts(connection, keys));
      statement.execute();
      if (!statement.getMoreResults()) {
        throw new SQLException("the driver returned no keys for a claim");
      }
      return Sql.firstColumn(statement.getResultSet());
    }
  }

  /**
   * Which of {@code keys} somebody else's open transaction holds at this moment. Nobody is held up
   * for longer than one round trip. To be called in a transaction of its own, which the caller
   * rolls back. A key that could not be tried within half a second counts as busy, so the answer is
   * for parking, not for deciding what is a duplicate.
   */
  public Set<String> busy(Connection connection, Collection<String> keys) throws SQLException {
    return busyKeys.find(connection, keys);
  }

  /**
   * Takes back claims that this transaction has made, because their effects did not run.
   *
   * @param keys none but what {@link #claim} returned in the same transaction
   */
  public void unclaim(Connection connection, Collection<String> keys) throws SQLException {
    Sql.update(connection, unclaim, scope, keys);
  }

  /** Which of {@code keys} have a committed claim, or one of this transaction. Waits for nobody. */
  public Set<String> claimed(Connection connection, Collection<String> keys) throws SQLException {
    return Sql.keys(connection, claimed, scope, keys);
  }
}
