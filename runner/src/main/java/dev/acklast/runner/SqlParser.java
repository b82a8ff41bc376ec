package dev.acklast.runner;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads SQL with named parameters ({@code :saleId}, {@code :customer.id}, {@code :"sale-id"}) as
 * PostgreSQL splits it into tokens: texts, quoted names, dollar quotes, comments and casts are left
 * as they are. A semicolon ends a statement.
 */
final class SqlParser {
  private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*+|\"[^\"]++\"";
  private static final Pattern PARAMETER =
      Pattern.compile(":((?:" + NAME + ")(?:\\.(?:" + NAME + "))*+)");
  private static final Pattern FIELD = Pattern.compile(NAME);
  private static final Pattern WORD = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*+");
  private static final Pattern DOLLAR_TAG =
      Pattern.compile("\\$(?:[\\p{L}_][\\p{L}\\p{N}_]*+)?\\$");
  private static final Set<String> COUNTING = Set.of("insert", "update", "delete", "merge");
  private static final Set<String> TRANSACTION =
      Set.of("begin", "start", "commit", "end", "rollback", "abort", "prepare");
  private static final Set<String> SESSION = Set.of("set", "reset", "discard", "listen");

  private final String sql;
  private final List<SqlStatement> statements = new ArrayList<>();
  private StringBuilder text = new StringBuilder();
  private List<SqlParameter> parameters = new ArrayList<>();
  private List<String> words = new ArrayList<>();
  private int at;

  private SqlParser(String sql) {
    this.sql = sql;
  }

  /**
   * Splits and reads the statements; at least one.
   *
   * @throws IllegalArgumentException if something is not closed, a statement would end the
   *     transaction, or there is none
   */
  static List<SqlStatement> parse(String sql) {
    return new SqlParser(sql).parse();
  }

  private List<SqlStatement> parse() {
    while (at < sql.length()) {
      token();
    }
    endStatement();
    if (statements.isEmpty()) {
      throw new IllegalArgumentException("holds no SQL statement");
    }
    return statements;
  }

  private void token() {
    char c = sql.charAt(at);
    switch (c) {
      case '\'' -> quoted('\'', escapes());
      case '"' -> quoted('"', false);
      case '$' -> dollar();
      case ':' -> colon();
      case ';' -> {
        endStatement();
        at++;
      }
      case '?' -> copyAs("??", 1);
      default -> {
        if (sql.startsWith("--", at)) {
          copyTo(orEnd(sql.indexOf('\n', at)));
        } else if (sql.startsWith("/*", at)) {
          copyTo(endOfComment());
        } else {
          word();
        }
      }
    }
  }

  /** A word counts as one only from its first letter on: {@code x1$y} has no dollar quote in it. */
  private void word() {
    Matcher word = WORD.matcher(sql).region(at, sql.length());
    if (word.lookingAt()) {
      words.add(word.group().toLowerCase(Locale.ROOT));
      copyTo(word.end());
    } else {
      copyTo(at + 1);
    }
  }

  /** {@code E'…'} has backslash escapes; {@code '…'} has none. */
  private boolean escapes() {
    boolean prefixed = at > 0 && (sql.charAt(at - 1) == 'e' || sql.charAt(at - 1) == 'E');
    return prefixed && !words.isEmpty() && words.get(words.size() - 1).equals("e");
  }

  private void quoted(char quote, boolean escapes) {
    int end = at + 1;
    while (end < sql.length() && sql.charAt(end) != quote) {
      end += escapes && sql.charAt(end) == '\\' ? 2 : 1;
    }
    if (end >= sql.length()) {
      throw new IllegalArgumentException("has a " + quote + " that is not closed");
    }
    copyTo(end + 1);
  }

  private void dollar() {
    Matcher tag = DOLLAR_TAG.matcher(sql).region(at, sql.length());
    if (!tag.lookingAt()) {
      if (at + 1 < sql.length() && Character.isDigit(sql.charAt(at + 1))) {
        throw new IllegalArgumentException(
            "has a positional parameter ($1); name the message's field instead, as in :saleId");
      }
      copyTo(at + 1);
      return;
    }
    int end = sql.indexOf(tag.group(), tag.end());
    if (end < 0) {
      throw new IllegalArgumentException("has a " + tag.group() + " that is not closed");
    }
    copyTo(end + tag.group().length());
  }

  private void colon() {
    if (sql.startsWith("::", at)) {
      copyTo(at + 2);
      return;
    }
    Matcher parameter = PARAMETER.matcher(sql).region(at, sql.length());
    if (!parameter.lookingAt()) {
      copyTo(at + 1);
      return;
    }
    List<String> fields = new ArrayList<>();
    Matcher field = FIELD.matcher(parameter.group(1));
    while (field.find()) {
      fields.add(field.group().replace("\"", ""));
    }
    parameters.add(new SqlParameter(fields));
    copyAs("?", parameter.group().length());
  }

  /** PostgreSQL's comments nest. */
  private int endOfComment() {
    int depth = 0;
    for (int i = at; i + 1 < sql.length(); ) {
      if (sql.startsWith("/*", i)) {
        depth++;
        i += 2;
      } else if (sql.startsWith("*/", i)) {
        depth--;
        i += 2;
        if (depth == 0) {
          return i;
        }
      } else {
        i++;
      }
    }
    throw new IllegalArgumentException("has a /* that is not closed");
  }

  private int orEnd(int index) {
    return index < 0 ? sql.length() : index;
  }

  private void copyTo(int end) {
    text.append(sql, at, end);
    at = end;
  }

  private void copyAs(String replacement, int length) {
    text.append(replacement);
    at += length;
  }

  private void endStatement() {
    if (!words.isEmpty()) {
      String first = words.get(0);
      if (TRANSACTION.contains(first)) {
        throw new IllegalArgumentException(
            "must not hold " + first + ": Acklast begins and commits the transaction");
      }
      if (SESSION.contains(first) && !words.subList(1, words.size()).contains("local")) {
        throw new IllegalArgumentException(
            "must not change the session, which others use later; write set local");
      }
      boolean counts = COUNTING.contains(first) && !words.contains("returning");
      statements.add(new SqlStatement(text.toString().strip(), parameters, counts));
    } else if (!text.toString().isBlank() && !parameters.isEmpty()) {
      throw new IllegalArgumentException("has parameters, but no SQL statement");
    }
    text = new StringBuilder();
    parameters = new ArrayList<>();
    words = new ArrayList<>();
  }
}
