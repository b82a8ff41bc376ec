package dev.acklast;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.spi.Envelope;
import java.util.regex.Pattern;

/** A key that stands in a field of the JSON body. */
final class PointerKey extends Key<Object> {
  private static final Pattern SYNTAX = Pattern.compile("(?:/(?:[^/~]|~[01])*+)++");

  private final JsonPointer pointer;
  private final Json<JsonNode> json;

  private PointerKey(JsonPointer pointer, Json<JsonNode> json) {
    this.pointer = pointer;
    this.json = json;
  }

  static PointerKey of(String pointer) {
    if (pointer.length() > KeyRule.MAX_BYTES || !SYNTAX.matcher(pointer).matches()) {
      throw new IllegalArgumentException(
          "'"
              + pointer
              + "' is no JSON pointer to a field; one looks like /orderId, /order/id or"
              + " /items/0/id, with ~1 for a / and ~0 for a ~ inside a name");
    }
    return new PointerKey(JsonPointer.compile(pointer), Json.tree());
  }

  @Override
  String find(Object payload, Envelope envelope) throws InvalidMessageException {
    JsonNode tree = payload instanceof JsonNode node ? node : json.decode(envelope);
    return text(tree.at(pointer), "the key field " + pointer);
  }

  @Override
  Key<Object> alongside(Decoder<?> decoder) {
    if (decoder instanceof Json<?> other) {
      return new PointerKey(pointer, other.asTree());
    }
    return decoder instanceof Body<?> body
        ? new PointerKey(pointer, Json.tree().maxBytes(body.limits().maxBytes()))
        : this;
  }

  static String text(JsonNode node, String what) throws InvalidMessageException {
    if (node.isTextual() || node.isIntegralNumber()) {
      return node.asText();
    }
    String found =
        switch (node.getNodeType()) {
          case MISSING -> "is missing";
          case NULL -> "is null";
          case NUMBER -> "is a number with a fraction or an exponent";
          case BOOLEAN -> "is a boolean";
          case OBJECT -> "is an object";
          case ARRAY -> "is an array";
          default -> "is neither";
        };
    throw new InvalidMessageException(what + " " + found + "; a text or an integer is needed");
  }
}
