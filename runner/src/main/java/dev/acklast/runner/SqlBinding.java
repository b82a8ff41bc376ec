package dev.acklast.runner;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.FailedMessageException;
import dev.acklast.InvalidMessageException;
import dev.acklast.Message;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

/**
 * Hands a message's values to a statement. Texts go untyped, so that PostgreSQL takes them for what
 * stands on the other side: a uuid, a timestamp, jsonb. Numbers keep their digits.
 */
final class SqlBinding {
  /** What PostgreSQL's numeric can hold. */
  private static final int MOST_DIGITS_BEFORE = 131_072;

  private static final int MOST_DIGITS_AFTER = 16_383;

  private SqlBinding() {}

  /**
   * Binds all parameters, the first one at {@code index}; returns the index after the last.
   *
   * @throws FailedMessageException if the message lacks a field, or a value cannot be stored
   */
  static int bind(
      PreparedStatement target, int index, SqlStatement statement, Message<JsonNode> message)
      throws SQLException, FailedMessageException {
    int next = index;
    try {
      for (SqlParameter parameter : statement.parameters()) {
        bind(target, next++, parameter, parameter.in(message));
      }
    } catch (InvalidMessageException e) {
      throw new FailedMessageException(message, e);
    }
    return next;
  }

  private static void bind(
      PreparedStatement target, int index, SqlParameter parameter, JsonNode node)
      throws SQLException, InvalidMessageException {
    switch (node.getNodeType()) {
      case NULL -> target.setNull(index, Types.NULL);
      case BOOLEAN -> target.setBoolean(index, node.booleanValue());
      case NUMBER -> bindNumber(target, index, parameter, node);
      case STRING -> bindText(target, index, parameter, node.textValue());
      default -> bindText(target, index, parameter, node.toString());
    }
  }

  private static void bindNumber(
      PreparedStatement target, int index, SqlParameter parameter, JsonNode node)
      throws SQLException, InvalidMessageException {
    if (node.isIntegralNumber() && node.canConvertToLong()) {
      target.setLong(index, node.longValue());
      return;
    }
    BigDecimal number = node.decimalValue();
    long before = (long) number.precision() - number.scale();
    if (before > MOST_DIGITS_BEFORE || number.scale() > MOST_DIGITS_AFTER) {
      // Also a guard: the driver writes out every digit, and 1e999999999 has a billion.
      throw new InvalidMessageException(
          "the number in the field " + parameter.name() + " is beyond what numeric can hold");
    }
    target.setBigDecimal(index, number);
  }

  private static void bindText(
      PreparedStatement target, int index, SqlParameter parameter, String text)
      throws SQLException, InvalidMessageException {
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      boolean half = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
      if (codePoint == 0 || half) {
        throw new InvalidMessageException(
            "the text in the field "
                + parameter.name()
                + (half ? " holds half of a surrogate pair" : " holds U+0000")
                + ", which PostgreSQL cannot store");
      }
      i += Character.charCount(codePoint);
    }
    target.setObject(index, text, Types.OTHER);
  }
}
