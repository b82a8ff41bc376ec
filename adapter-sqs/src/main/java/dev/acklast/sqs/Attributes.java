package dev.acklast.sqs;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Message attributes: typed values of the service, and what handlers see of them. */
final class Attributes {
  private static final String NUMBER = "Number";
  private static final String BINARY = "Binary";

  private Attributes() {}

  /**
   * What a header shows: text, a number that is written as it was, or bytes. A type may have a
   * label of the user's after a dot.
   */
  static Object header(MessageAttributeValue value) {
    String type = String.valueOf(value.dataType());
    if (type.startsWith(BINARY) && value.binaryValue() != null) {
      return value.binaryValue().asByteArray();
    }
    String text = String.valueOf(value.stringValue());
    return type.startsWith(NUMBER) ? number(text) : text;
  }

  /** A number only if it keeps its digits, as {@code 007} or {@code 1E5} would not. */
  static Object number(String text) {
    try {
      if (text.equals(Long.toString(Long.parseLong(text)))) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException e) {
      // no integer of a usual size
    }
    try {
      BigDecimal number = new BigDecimal(text);
      return number.toPlainString().equals(text) ? number : text;
    } catch (NumberFormatException e) {
      return text;
    }
  }

  /** How much of a message's limit these take: names, types and values count. */
  static int size(Map<String, MessageAttributeValue> attributes) {
    int size = 0;
    for (Map.Entry<String, MessageAttributeValue> entry : attributes.entrySet()) {
      MessageAttributeValue value = entry.getValue();
      size += bytes(entry.getKey()) + bytes(String.valueOf(value.dataType()));
      size += value.stringValue() == null ? 0 : bytes(value.stringValue());
      size += value.binaryValue() == null ? 0 : value.binaryValue().asByteArrayUnsafe().length;
    }
    return size;
  }

  static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
