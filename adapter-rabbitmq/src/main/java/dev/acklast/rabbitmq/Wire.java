package dev.acklast.rabbitmq;

import com.rabbitmq.client.LongString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What AMQP headers are made of, and which of them are the broker's own. */
final class Wire {
  private Wire() {}

  /** Whether the broker wrote this header when it dead-lettered the message. */
  static boolean isDeathRecord(String header) {
    return header.equals("x-death")
        || header.startsWith("x-first-death-")
        || header.startsWith("x-last-death-");
  }

  /** Whether the broker writes this header anew with each delivery. */
  static boolean isCount(String header) {
    return header.equals("x-delivery-count") || header.equals("x-acquired-count");
  }

  /**
   * Whether the broker would act upon it, or compare: a copied CC sends a second copy elsewhere.
   */
  static boolean isTiedToOriginal(String header) {
    return isDeathRecord(header) || isCount(header) || header.equals("CC") || header.equals("BCC");
  }

  /** A header's value without the client's own types, also inside lists and tables. */
  static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof LongString text) {
      return text.toString();
    }
    if (value instanceof Map<?, ?> table) {
      return plainTable(table);
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> plain = new ArrayList<>(list.size());
      list.forEach(element -> plain.add(plain(element)));
      return plain;
    }
    return value;
  }

  static Map<String, @Nullable Object> plainTable(Map<?, ?> table) {
    Map<String, @Nullable Object> plain = new LinkedHashMap<>();
    table.forEach((name, value) -> plain.put(String.valueOf(name), plain(value)));
    return plain;
  }
}
