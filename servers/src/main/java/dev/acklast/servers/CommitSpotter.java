package dev.acklast.servers;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sees a PostgreSQL client's COMMIT among the bytes of one connection.
 *
 * <p>The text alone is not enough: pgjdbc prepares the statement at a connection's first commit,
 * and later ones only name what was prepared. So it must watch a connection from its beginning. Not
 * thread-safe.
 */
final class CommitSpotter {
  /** Query, or Parse with the prepared statement's name: type, length below 64 KiB, text. */
  private static final Pattern QUERY =
      Pattern.compile("Q\0\0[\\s\\S]{2}COMMIT;?\0", Pattern.CASE_INSENSITIVE);

  private static final Pattern PARSE =
      Pattern.compile("P\0\0[\\s\\S]{2}([^\0]*)\0COMMIT;?\0", Pattern.CASE_INSENSITIVE);

  /** Bind of a named statement to the unnamed portal. */
  private static final Pattern BIND = Pattern.compile("B\0\0[\\s\\S]{2}\0([^\0]+)\0");

  private final Set<String> prepared = new HashSet<>();
  private boolean first = true;
  private boolean postgres;

  /** Whether this piece of the client's stream holds a COMMIT. */
  boolean sees(byte[] request) {
    if (first) {
      first = false;
      postgres = request.length > 4 && request[0] == 0; // a start-up message's length
    }
    if (!postgres) {
      return false;
    }
    String text = new String(request, StandardCharsets.ISO_8859_1);
    boolean commits = QUERY.matcher(text).find();
    Matcher parses = PARSE.matcher(text);
    while (parses.find()) {
      commits = true;
      if (!parses.group(1).isEmpty()) {
        prepared.add(parses.group(1));
      }
    }
    Matcher binds = BIND.matcher(text);
    while (!commits && !prepared.isEmpty() && binds.find()) {
      commits = prepared.contains(binds.group(1));
    }
    return commits;
  }
}
