package dev.acklast.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the attempts of one scope, durably and for all instances. Immutable and thread-safe; every
 * method works in the transaction of the connection that it is given, and neither commits nor rolls
 * back. All times are the database's.
 */
public final class AttemptLedger {
  /**
   * What the ledger knows about a key.
   *
   * @param attempts how many runs have failed
   * @param run the run whose mark stands; null if none does
   * @param runAlone whether that run had its batch to itself
   * @param dueIn how long until the next run is due, more than zero; null if it is due
   * @param doom the name of the reason why it is to be dead-lettered whatever follows, or has been;
   *     a later version may have added it; null while it may be tried
   * @param deathId the id of the dead letter that has been confirmed; null unless it is dead
   */
  public record Entry(
      String key,
      int attempts,
      @Nullable String run,
      boolean runAlone,
      @Nullable Duration dueIn,
      @Nullable String doom,
      @Nullable String deathId) {
    /** Whether no further run is due, however few there were. */
    public boolean doomed() {
      return doom != null || deathId != null;
    }
  }

  /**
   * A dead letter.
   *
   * @param id the same for every copy
   * @param reason the name of a reason
   */
  public record Death(String id, String reason) {}

  /**
   * The trace of a run that is about to begin; {@code attempts} is what the ledger shall then say.
   */
  public record Mark(String key, String run, boolean alone, int attempts) {}

  /**
   * A run that failed.
   *
   * @param run its mark, which is taken off; null if it had none
   * @param carriedDeathId the death id that the message brought along, being redriven; null if none
   * @param error for people; made storable and cut at 1000 characters
   */
  public record Failed(
      String key, @Nullable String run, @Nullable String carriedDeathId, String error) {}

  private final String scope;
  private final LedgerSql sql;

  /** The attempts of {@code scope}, which is not blank, in {@code tables}. */
  public AttemptLedger(Tables tables, String scope) {
    this.scope = scope;
    this.sql = new LedgerSql(tables);
  }

  /** The entries of those of {@code keys} that have one; waits for nobody. */
  public Map<String, Entry> read(Connection connection, Collection<String> keys)
      throws SQLException {
    return entries(connection, sql.read, keys);
  }

  /**
   * As {@link #read}, and locks the rows, in the order of their keys, until the transaction ends.
   */
  public Map<String, Entry> lock(Connection connection, Collection<String> keys)
      throws SQLException {
    return entries(connection, sql.lock, keys);
  }

  private Map<String, Entry> entries(Connection connection, String query, Collection<String> keys)
      throws SQLException {
    Map<String, Entry> entries = new LinkedHashMap<>();
    if (keys.isEmpty()) {
      return entries;
    }
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, scope);
      statement.setArray(2, Sql.texts(connection, keys));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          Entry entry = entry(rows);
          entries.put(entry.key(), entry);
        }
      }
    }
    return entries;
  }

  private static Entry entry(ResultSet row) throws SQLException {
    long dueIn = row.getLong("due_in");
    return new Entry(
        row.getString("key"),
        row.getInt("attempts"),
        row.getString("run"),
        row.getBoolean("run_alone"),
        dueIn > 0 ? Duration.of(dueIn, ChronoUnit.MICROS) : null,
        row.getString("death_reason"),
        row.getString("death_id"));
  }

  /** Leaves a mark for each run, in one statement. No key may occur twice. */
  public void mark(Connection connection, Collection<Mark> marks) throws SQLException {
    if (marks.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql.mark)) {
      statement.setString(1, scope);
      statement.setArray(2, Sql.texts(connection, marks.stream().map(Mark::key).toList()));
      statement.setArray(3, Sql.texts(connection, marks.stream().map(Mark::run).toList()));
      statement.setArray(
          4, connection.createArrayOf("bool", marks.stream().map(Mark::alone).toArray()));
      statement.setArray(
          5, connection.createArrayOf("int4", marks.stream().map(Mark::attempts).toArray()));
      statement.executeUpdate();
    }
  }

  /**
   * Deletes the rows, attempts and all, on which these marks still stand.
   *
   * @param runs the run of each key
   * @return the keys of the rows deleted; one that is missing was overtaken by another run
   */
  public Set<String> unmark(Connection connection, Map<String, String> runs) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.unmark)) {
      bindRuns(statement, connection, runs);
      return Sql.firstColumn(statement.executeQuery());
    }
  }

  /**
   * Takes these marks off, where they still stand, and keeps the counts: the runs did not happen.
   */
  public void lift(Connection connection, Map<String, String> runs) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.lift)) {
      bindRuns(statement, connection, runs);
      statement.executeUpdate();
    }
  }

  private void bindRuns(
      PreparedStatement statement, Connection connection, Map<String, String> runs)
      throws SQLException {
    List<String> keys = List.copyOf(runs.keySet());
    statement.setArray(1, Sql.texts(connection, keys));
    statement.setArray(2, Sql.texts(connection, keys.stream().map(runs::get).toList()));
    statement.setString(3, scope);
  }

  /**
   * Deletes the rows of {@code keys}, whatever stands in them: their claims are committed, or will
   * be with this transaction, and a claim decides before any count.
   */
  public void clear(Connection connection, Collection<String> keys) throws SQLException {
    Sql.update(connection, sql.clear, scope, keys);
  }

  /**
   * Counts a failed run. A dead row whose death id the message carries starts afresh; a mark of
   * another run stays.
   *
   * @return how many runs have failed now, this one included
   */
  public int recordFailure(Connection connection, Failed failed) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.recordFailure)) {
      statement.setString(1, scope);
      statement.setString(2, failed.key());
      statement.setString(3, ErrorText.storable(failed.error()));
      statement.setString(4, failed.carriedDeathId());
      statement.setString(5, failed.run());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  /** Makes the next run of {@code key} due after {@code delay}, by the database's clock. */
  public void delay(Connection connection, String key, Duration delay) throws SQLException {
    update(connection, sql.delay, List.of(key, Math.max(0, delay.toMillis())));
  }

  /**
   * Notes that {@code key}, a run of which has failed in this transaction, is not to be run again
   * but dead-lettered, by whoever gets it next.
   */
  public void doom(Connection connection, String key, String reason) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.doom)) {
      statement.setString(1, reason);
      statement.setString(2, scope);
      statement.setString(3, key);
      statement.executeUpdate();
    }
  }

  /** Notes that a dead letter has been confirmed after so many attempts. */
  public void markDead(Connection connection, String key, Death death, int attempts)
      throws SQLException {
    update(connection, sql.markDead, List.of(key, death.id(), death.reason(), attempts));
  }

  private void update(Connection connection, String update, List<Object> parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      statement.setString(1, scope);
      for (int i = 0; i < parameters.size(); i++) {
        statement.setObject(i + 2, parameters.get(i));
      }
      statement.executeUpdate();
    }
  }
}
