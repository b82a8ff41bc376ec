package dev.acklast.chaos;

import org.jspecify.annotations.Nullable;

/**
 * One breach.
 *
 * @param key whose; null if it is nobody's in particular
 * @param text what was found, in words
 */
record Finding(Breach breach, @Nullable String key, String text) {
  @Override
  public String toString() {
    return breach + (key == null ? "" : " " + key) + ": " + text;
  }
}
