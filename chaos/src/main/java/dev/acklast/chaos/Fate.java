package dev.acklast.chaos;

/** What is planned for a message. A closed set. */
enum Fate {
  /** Succeeds at its first run. */
  TRANSFER,
  /** Fails a few times, and then succeeds. */
  FLAKY,
  /** Fails whenever it runs. */
  POISON,
  /** Fails with an exception that is not worth a retry. */
  REFUSED,
  /** Happened before what the claims remember. */
  STALE,
  /** Its body is cut off. */
  UNDECODABLE,
  /** Halts the JVM whenever it runs. */
  KILLER;

  /** Whether it must end as an effect; otherwise it must end as a dead letter. */
  boolean applies() {
    return this == TRANSFER || this == FLAKY;
  }

  /** The reason that its dead letter must state. */
  String deathReason() {
    return switch (this) {
      case UNDECODABLE -> "INVALID";
      case STALE -> "EXPIRED";
      case REFUSED -> "NON_RETRYABLE";
      case POISON, KILLER -> "MAX_ATTEMPTS";
      case TRANSFER, FLAKY -> "none";
    };
  }
}
