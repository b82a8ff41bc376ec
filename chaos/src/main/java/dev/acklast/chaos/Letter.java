package dev.acklast.chaos;

import org.jspecify.annotations.Nullable;

/**
 * A message in the dead-letter queue.
 *
 * @param key as its producer wrote it into a header; null if that is gone
 * @param messageId as its producer gave it; null if that is gone
 * @param death what its report says; null if there is none
 */
record Letter(
    @Nullable String key, @Nullable String messageId, byte[] body, @Nullable Death death) {
  /** The header with the key; bodies may be cut off. */
  static final String KEY_HEADER = "chaos-key";

  /**
   * A dead letter's report.
   *
   * @param id the same for all copies of one death
   */
  record Death(String id, String reason, int attempts) {}
}
