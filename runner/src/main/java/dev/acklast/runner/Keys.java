package dev.acklast.runner;

import dev.acklast.Key;
import java.util.List;

/** Reads what a business key or an ordering key is made of. */
final class Keys {
  private static final String HEADER = "header:";

  private Keys() {}

  /** One part, or a list of parts to join. */
  static Key<Object> read(Value value) {
    List<Key<Object>> parts = value.list().stream().map(Keys::part).toList();
    return parts.size() == 1 ? parts.get(0) : Key.join(parts);
  }

  private static Key<Object> part(Value value) {
    String text = value.text();
    if (text.startsWith("/")) {
      return value.parse(text, Key::pointer);
    }
    if (text.startsWith(HEADER)) {
      return value.parse(text.substring(HEADER.length()), Key::header);
    }
    return switch (text) {
      case "record-key" -> Key.recordKey();
      case "message-id" -> Key.messageId();
      default ->
          throw value.error(
              "must be a JSON pointer like /saleId, or header:NAME, record-key, message-id, or a"
                  + " list of these");
    };
  }
}
