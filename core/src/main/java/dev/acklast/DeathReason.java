package dev.acklast;

import java.util.Arrays;
import java.util.Optional;

/** Why a message is dead-lettered. A closed set; the names stand in headers, metrics and logs. */
public enum DeathReason {
  /** It cannot be decoded or has no usable key. */
  INVALID,
  /** It failed as often as {@code max-attempts} allows. */
  MAX_ATTEMPTS,
  /** It failed with an exception that the user declared not worth a retry. */
  NON_RETRYABLE,
  /** It is older than the retention of claims, so that a duplicate could not be told. */
  EXPIRED,
  /** The broker would not deliver it another time, so that a run could end without an outcome. */
  DELIVERY_LIMIT;

  /** The reason of this name; empty if there is none, or not in this version. */
  static Optional<DeathReason> named(String name) {
    return Arrays.stream(values()).filter(reason -> reason.name().equals(name)).findFirst();
  }
}
