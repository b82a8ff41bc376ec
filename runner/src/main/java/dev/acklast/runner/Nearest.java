package dev.acklast.runner;

import java.util.Collection;
import java.util.Comparator;

/** Finds the word that was most likely meant. */
final class Nearest {
  private Nearest() {}

  /** The word with the least edits; there must be one. */
  static String to(String typed, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt((String word) -> edits(typed, word)).thenComparing(w -> w))
        .orElseThrow();
  }

  private static int edits(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] current = new int[to.length() + 1];
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
