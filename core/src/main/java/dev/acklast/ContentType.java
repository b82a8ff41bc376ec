package dev.acklast;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the producer said of the body's kind.
 *
 * @param mediaType type and subtype in lower case; null if none was stated
 * @param charset as stated; null if none was
 */
record ContentType(@Nullable String mediaType, @Nullable String charset) {
  private static final ContentType NONE = new ContentType(null, null);
  private static final int LONGEST = 512;
  private static final String TOKEN = "[-!#$%&'*+.^_`|~0-9A-Za-z]++";
  private static final Pattern TYPE = Pattern.compile("\\s*+(" + TOKEN + "/" + TOKEN + ")\\s*+");
  private static final Pattern PARAMETER =
      Pattern.compile(
          "\\G;\\s*+(?:("
              + TOKEN
              + ")\\s*+=\\s*+(?:([^;\"\\s]++)|\"((?:[^\"\\\\]|\\\\.)*+)\")\\s*+)?+");

  /** Media types other than those that end in {@code +json} which are read as JSON. */
  private static final Set<String> JSON =
      Set.of("application/json", "text/json", "text/plain", "application/octet-stream");

  static ContentType parse(@Nullable String header) throws InvalidMessageException {
    if (header == null || header.isBlank()) {
      return NONE;
    }
    Matcher type = TYPE.matcher(header);
    if (header.length() > LONGEST || !type.lookingAt()) {
      throw unreadable();
    }
    String charset = null;
    int end = type.end();
    Matcher parameter = PARAMETER.matcher(header).region(end, header.length());
    while (parameter.find()) {
      end = parameter.end();
      if ("charset".equalsIgnoreCase(parameter.group(1))) {
        String stated = parameter.group(2) != null ? parameter.group(2) : parameter.group(3);
        if (charset != null && !charset.equalsIgnoreCase(stated)) {
          throw unreadable();
        }
        charset = stated;
      }
    }
    if (end != header.length()) {
      throw unreadable();
    }
    return new ContentType(type.group(1).toLowerCase(Locale.ROOT), charset);
  }

  void requireJson() throws InvalidMessageException {
    if (mediaType != null && !JSON.contains(mediaType) && !mediaType.endsWith("+json")) {
      throw new InvalidMessageException(
          "the content type "
              + mediaType
              + " is not read as JSON; application/json, …+json, text/json, text/plain,"
              + " application/octet-stream and none at all are");
    }
  }

  private static InvalidMessageException unreadable() {
    return new InvalidMessageException(
        "the content type cannot be read; it should look like application/json; charset=utf-8");
  }
}
