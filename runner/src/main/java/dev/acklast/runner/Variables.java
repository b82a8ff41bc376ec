package dev.acklast.runner;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Replaces {@code ${NAME}} and {@code ${NAME:default}} by the environment's values. */
final class Variables {
  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\$\\{|\\$\\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?})?");

  private final Lookup lookup;

  Variables(Lookup lookup) {
    this.lookup = lookup;
  }

  /**
   * Replaces all references; a doubled dollar sign before the brace keeps it from being one.
   *
   * @throws IllegalArgumentException if a variable without default is not set, or a reference is
   *     not well-formed; the text names the variable and no value
   */
  String replaceIn(String text) {
    if (!text.contains("${")) {
      return text;
    }
    return REFERENCE.matcher(text).replaceAll(match -> Matcher.quoteReplacement(valueOf(match)));
  }

  private String valueOf(MatchResult match) {
    if (match.group().startsWith("$$")) {
      return "${";
    }
    String name = match.group(1);
    if (name == null) {
      throw new IllegalArgumentException(
          "has a ${ that names no environment variable; write ${NAME} or ${NAME:default}, or $${"
              + " for the characters ${ themselves");
    }
    String value = lookup.get(name);
    if (value == null) {
      value = match.group(2);
    }
    if (value == null) {
      throw new IllegalArgumentException(
          "needs the environment variable %s, which is not set; set it, or write ${%s:default}"
              .formatted(name, name));
    }
    return value;
  }

  /** Where variables come from: the environment. */
  @FunctionalInterface
  interface Lookup {
    @Nullable String get(String name);
  }
}
