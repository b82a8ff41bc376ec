package dev.acklast;

import dev.acklast.spi.RefusedException;
import dev.acklast.spi.Transactions.Outcome;
import dev.acklast.store.Durability;
import dev.acklast.store.Probe;
import dev.acklast.store.Schema;
import dev.acklast.store.Tables;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Checks at start whether the database can keep the promise, and later whether it is there.
 * Thread-safe.
 */
final class DatabaseCheck {
  private final ConsumerSettings.Database settings;
  private final int lanes;
  private final Tables tables;
  private final DatabaseClock clock;
  private volatile boolean prepared;

  /**
   * A check of the database that these settings name.
   *
   * @param clock is set before anything is found good: messages are judged by their age from the
   *     first one on
   */
  DatabaseCheck(ConsumerSettings<?> settings, DatabaseClock clock) {
    this.settings = settings.database();
    this.lanes = settings.flow().concurrency();
    this.tables = new Tables(this.settings.schema());
    this.clock = clock;
  }

  /** Whether the tables have been found or made, and found good. */
  boolean isPrepared() {
    return prepared;
  }

  /**
   * Prepares the tables if that has not been done, and asks whether claims can be written.
   *
   * @return null if all is well, otherwise what is wrong
   * @throws RefusedException if the database was reached and cannot serve as it is
   */
  @Nullable String look() {
    return prepared ? probe() : prepare();
  }

  private @Nullable String prepare() {
    Outcome<Boolean> outcome =
        settings
            .transactions()
            .run(
                transaction -> {
                  Connection connection = transaction.connection();
                  Schema.prepare(connection, tables, settings.createTables());
                  Durability.check(connection, settings.acceptAsynchronousCommit());
                  clock.adjust(connection);
                  return true;
                });
    if (outcome instanceof Outcome.Committed<Boolean>) {
      prepared = true;
      return null;
    }
    Throwable cause = causeOf(outcome);
    if (cause instanceof RefusedException refused) {
      throw refused;
    }
    return "the database cannot be used: " + described(cause);
  }

  private @Nullable String probe() {
    Outcome<Boolean> outcome =
        settings
            .transactions()
            .run(
                transaction -> {
                  Probe.check(transaction.connection(), tables);
                  throw new Turn.Stopped(); // the probe leaves nothing behind
                });
    Throwable cause = causeOf(outcome);
    return cause instanceof Turn.Stopped
        ? null
        : "the database cannot be used: " + described(cause);
  }

  private static Throwable causeOf(Outcome<?> outcome) {
    if (outcome instanceof Outcome.RolledBack<?> rolledBack) {
      return rolledBack.cause();
    }
    if (outcome instanceof Outcome.NotBegun<?> notBegun) {
      return notBegun.cause();
    }
    return outcome instanceof Outcome.Unknown<?> unknown ? unknown.cause() : new Turn.Stopped();
  }

  private static String described(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String shown = root == cause ? "" : ", " + root.getClass().getSimpleName();
    return cause.getClass().getSimpleName() + " (" + Deaths.text(cause) + shown + ")";
  }

  /**
   * Refuses a pool that is too small, where its size can be read: a connection for each lane, and
   * two for probing and purging.
   */
  void checkPool() {
    DataSource dataSource = settings.dataSource();
    Integer size = dataSource == null ? null : PoolSize.of(dataSource);
    int needed = lanes + 2;
    if (size != null && size < needed) {
      throw new RefusedException(
          "the connection pool has "
              + size
              + " connections, but concurrency "
              + lanes
              + " needs at least "
              + needed
              + " (concurrency + 2): enlarge the pool or lower the concurrency");
    }
  }
}
