package dev.acklast.store;

/** Makes an error's text storable: whatever a handler throws, its attempt must be counted. */
final class ErrorText {
  private static final int LONGEST = 1000;

  private ErrorText() {}

  /**
   * At most 1000 UTF-16 units, without U+0000, which text cannot hold, and without lone surrogates.
   */
  static String storable(String text) {
    StringBuilder kept = new StringBuilder(Math.min(text.length(), LONGEST));
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      i += Character.charCount(point);
      if (kept.length() + Character.charCount(point) > LONGEST) {
        break;
      }
      boolean lone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      kept.appendCodePoint(lone || point == 0 ? 0xFFFD : point);
    }
    return kept.toString();
  }
}
