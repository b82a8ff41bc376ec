package dev.acklast.testkit.handler;

import org.jspecify.annotations.Nullable;

/**
 * What one process is put through, once. Immutable.
 *
 * @param kind what happens
 * @param step where it happens; null for a statement
 * @param statement which statement of the handler fails, from 1; 0 for none
 */
record Trouble(Kind kind, @Nullable Step step, int statement) {
  enum Kind {
    NONE,
    /** The process ends. */
    DEATH,
    /** The connection is lost, and the process lives on. */
    LOST_CONNECTION,
    /** The database refuses a statement. */
    FAILED_STATEMENT,
    /** Transactions of single messages wait for each other before their commits. */
    OVERLAP
  }

  static Trouble none() {
    return new Trouble(Kind.NONE, null, 0);
  }

  static Trouble overlap() {
    return new Trouble(Kind.OVERLAP, null, 0);
  }

  static Trouble deathAt(Step step) {
    return new Trouble(Kind.DEATH, step, 0);
  }

  static Trouble lostConnectionAt(Step step) {
    return new Trouble(Kind.LOST_CONNECTION, step, 0);
  }

  static Trouble failedStatement(int statement) {
    return new Trouble(Kind.FAILED_STATEMENT, null, statement);
  }
}
