package dev.acklast;

import org.jspecify.annotations.Nullable;

/**
 * What a business key must be: checked here, before any use, and nowhere else. Keys are then
 * compared byte for byte, and never trimmed, folded or normalised.
 */
final class KeyRule {
  /**
   * With a scope of 200 characters (at most 600 bytes) this stays below the 2,704 bytes of a row in
   * PostgreSQL's index, however badly the key compresses.
   */
  static final int MAX_BYTES = 1024;

  private KeyRule() {}

  static String check(@Nullable String key) throws InvalidMessageException {
    if (key == null) {
      throw new InvalidMessageException("the message has no business key: it is null");
    }
    if (key.isBlank()) {
      throw new InvalidMessageException("the business key is blank");
    }
    int bytes = 0;
    for (int i = 0; i < key.length(); ) {
      int codePoint = key.codePointAt(i);
      refuse(codePoint, i);
      bytes += bytesOf(codePoint);
      i += Character.charCount(codePoint);
    }
    if (bytes > MAX_BYTES) {
      throw new InvalidMessageException(
          "the business key has " + bytes + " bytes in UTF-8; at most " + MAX_BYTES + " are kept");
    }
    return key;
  }

  private static void refuse(int codePoint, int index) throws InvalidMessageException {
    if (Character.isISOControl(codePoint)) {
      throw new InvalidMessageException(
          String.format(
              "the business key holds the control character U+%04X at index %d", codePoint, index));
    }
    // codePointAt gives a surrogate only where its other half is missing.
    if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
      throw new InvalidMessageException(
          "the business key holds half of a surrogate pair at index " + index);
    }
  }

  private static int bytesOf(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < 0x10000 ? 3 : 4;
  }
}
