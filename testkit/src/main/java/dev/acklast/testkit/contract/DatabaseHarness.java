package dev.acklast.testkit.contract;

/** What the contract needs of a PostgreSQL server. One serves all cases of a class. */
public interface DatabaseHarness extends AutoCloseable {
  /** A new, empty database, whose owner may create tables, roles and end other sessions. */
  DatabaseAddress create();

  /**
   * Drops a database with whoever is still connected: called at each case's end, as a server full
   * of databases takes long to stop and to start.
   */
  void drop(DatabaseAddress database);

  /** Whether {@link #stop()} and {@link #start()} work. */
  boolean canRestart();

  /** Stops the server, sending clients away. */
  void stop();

  /** Starts it after {@link #stop()}; returns when it answers. */
  void start();

  @Override
  default void close() {}
}
