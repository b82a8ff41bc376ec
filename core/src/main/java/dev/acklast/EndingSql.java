package dev.acklast;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds a statement that would end the transaction in an SQL text, which may hold several. */
final class EndingSql {
  private static final Set<String> ENDINGS = Set.of("COMMIT", "END", "ABORT", "ROLLBACK");

  /** Texts in quotes and comments, in which nothing counts; else words and ends of statements. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "[eE]'(?:[^'\\\\]|\\\\.|'')*+'|'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\""
              + "|\\$(\\w*)\\$.*?\\$\\1\\$|--[^\\n]*+|/\\*.*?\\*/|(\\w++)|(;)",
          Pattern.DOTALL);

  private EndingSql() {}

  /** The command that would end the transaction, in capitals; null if there is none. */
  static @Nullable String in(String sql) {
    Matcher tokens = TOKEN.matcher(sql);
    String first = null;
    String second = null;
    while (tokens.find()) {
      if (tokens.group(3) != null) {
        if (ends(first, second)) {
          return first;
        }
        first = null;
        second = null;
      } else if (tokens.group(2) != null && first == null) {
        first = tokens.group(2).toUpperCase(Locale.ROOT);
      } else if (tokens.group(2) != null && (second == null || isFiller(second))) {
        second = tokens.group(2).toUpperCase(Locale.ROOT);
      }
    }
    return ends(first, second) ? first : null;
  }

  private static boolean isFiller(String word) {
    return word.equals("WORK") || word.equals("TRANSACTION");
  }

  private static boolean ends(@Nullable String first, @Nullable String second) {
    if (first == null) {
      return false;
    }
    if (first.equals("PREPARE")) {
      return "TRANSACTION".equals(second);
    }
    return ENDINGS.contains(first) && !"TO".equals(second);
  }
}
