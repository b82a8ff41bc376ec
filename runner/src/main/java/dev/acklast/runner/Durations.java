package dev.acklast.runner;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 12h}, {@code 90d}.
 */
final class Durations {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,12})\\s?(ms|s|m|h|d)");
  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "ms", ChronoUnit.MILLIS,
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  private Durations() {}

  static Duration parse(String text) {
    Matcher matcher = SHORT.matcher(text);
    try {
      return matcher.matches()
          ? Duration.of(Long.parseLong(matcher.group(1)), unit(matcher.group(2)))
          : Duration.parse(text);
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "is no duration; one looks like 500ms, 30s, 5m, 12h, 90d or PT30S");
    }
  }

  private static ChronoUnit unit(String name) {
    // A day is 24 hours here, whatever the calendar does.
    return UNITS.getOrDefault(name, ChronoUnit.FOREVER);
  }
}
