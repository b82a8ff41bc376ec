package dev.acklast;

import java.time.Duration;

/** Checks of single settings; the message names the setting as YAML spells it, and the rule. */
final class Rules {
  private static final int LONGEST_NAME = 200;

  private Rules() {}

  static int range(String setting, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          setting + " must be " + least + " to " + most + ", not " + value);
    }
    return value;
  }

  static Duration range(String setting, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          setting + " must be " + least + " to " + most + ", not " + value);
    }
    return value;
  }

  static String notBlank(String setting, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(setting + " must not be blank");
    }
    return value;
  }

  /** Consumer names and scopes: people look them up in the claim table, and type them. */
  static String name(String setting, String value) {
    notBlank(setting, value);
    if (value.length() > LONGEST_NAME || !value.equals(value.strip())) {
      throw new IllegalArgumentException(
          setting + " must have at most 200 characters, and no blanks around them");
    }
    if (value.chars().anyMatch(Character::isISOControl) || value.startsWith(ScopeNames.UNDECODED)) {
      throw new IllegalArgumentException(
          setting + " must hold no control characters and not start with " + ScopeNames.UNDECODED);
    }
    return value;
  }

  /** A schema's name goes into SQL as an identifier, so it is kept to what needs no quoting. */
  static String schema(String value) {
    if (!value.matches("[a-z_][a-z0-9_]{0,62}")) {
      throw new IllegalArgumentException(
          "schema must be lower-case letters, digits and underscores, at most 63, not starting"
              + " with a digit");
    }
    return value;
  }
}
