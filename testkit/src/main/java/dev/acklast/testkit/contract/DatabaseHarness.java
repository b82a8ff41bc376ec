package dev.acklast.testkit.contract;

/** What the contract needs of a PostgreSQL server. One serves all cases of a class. */
public interface DatabaseHarness extends AutoCloseable {
  /** A new, empty database, whose owner may create tables, roles and end other sessions. */
  DatabaseAddress create();

  /** Whether {@link #stop()} and {@link #start()} work. */
  boolean canRestart();

  /** Stops the server, sending clients away. */
  void stop();

  /** Starts it after {@link #stop()}; returns when it answers. */
  void start();

  @Override
  default void close() {}
}
