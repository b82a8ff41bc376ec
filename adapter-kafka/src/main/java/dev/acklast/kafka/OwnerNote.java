package dev.acklast.kafka;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * What stands beside a committed offset: up to where the partition's owner may have handed records
 * over. {@code open} stands there while it works, and remains after a crash; {@code clean} says
 * that nothing past the offset was ever handed over.
 */
final class OwnerNote {
  private static final String CLEAN = "acklast clean";
  private static final String OPEN = "acklast open until ";
  private static final Pattern OPEN_UNTIL = Pattern.compile(OPEN + "(\\d{1,18})");

  private OwnerNote() {}

  /**
   * The text for an offset.
   *
   * @param end the first offset that surely nobody has or will have been handed
   */
  static String text(long offset, long end) {
    return end <= offset ? CLEAN : OPEN + end;
  }

  /**
   * The first offset that surely nobody was handed, given what an earlier owner has left.
   *
   * @param span how far to go where the text is missing or not ours
   */
  static long end(OffsetAndMetadata committed, int span) {
    String text = committed.metadata();
    Matcher open = OPEN_UNTIL.matcher(text);
    if (text.equals(CLEAN)) {
      return committed.offset();
    }
    return open.matches() ? Long.parseLong(open.group(1)) : committed.offset() + span;
  }
}
