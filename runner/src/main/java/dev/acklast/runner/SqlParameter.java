package dev.acklast.runner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.acklast.InvalidMessageException;
import dev.acklast.Message;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a named parameter stands for: a field of the message, or a fact about it under {@code
 * acklast.}.
 *
 * @param fields the names of the fields from the outside in
 */
record SqlParameter(List<String> fields) {
  private static final String OWN = "acklast";
  private static final Set<String> FACTS =
      Set.of("key", "idempotency_key", "payload", "message_id", "source");

  SqlParameter {
    fields = List.copyOf(fields);
    if (fields.get(0).equals(OWN) && (fields.size() != 2 || !FACTS.contains(fields.get(1)))) {
      throw new IllegalArgumentException(
          "names a parameter that is not known; under :acklast. there are "
              + String.join(", ", FACTS.stream().sorted().toList()));
    }
  }

  /** Its value in one message; JSON's null where SQL's null is meant. */
  JsonNode in(Message<JsonNode> message) throws InvalidMessageException {
    if (fields.get(0).equals(OWN)) {
      return fact(fields.get(1), message);
    }
    JsonNode node = message.payload();
    for (String field : fields) {
      // Not path(), which also finds elements of arrays and hides what is missing.
      JsonNode inner = node.get(field);
      if (inner == null) {
        throw new InvalidMessageException(
            "the message lacks the field " + name() + ", which the effect needs");
      }
      node = inner;
    }
    return node;
  }

  String name() {
    return String.join(".", fields);
  }

  private static JsonNode fact(String name, Message<JsonNode> message) {
    return switch (name) {
      case "key" -> text(message.key());
      case "idempotency_key" -> text(message.idempotencyKey());
      case "message_id" -> text(message.envelope().messageId());
      case "source" -> text(message.envelope().source());
      default -> message.payload();
    };
  }

  private static JsonNode text(@Nullable String value) {
    return value == null ? NullNode.getInstance() : TextNode.valueOf(value);
  }
}
