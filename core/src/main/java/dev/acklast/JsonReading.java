package dev.acklast;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import java.io.IOException;
import java.nio.CharBuffer;

/** Reads one JSON value, and nothing else, from characters. Immutable and thread-safe. */
final class JsonReading<T> {
  private final JavaType type;
  private final JsonFactory factory;
  private final ObjectReader reader;
  private final JsonProblem problem;

  JsonReading(JavaType type, ObjectMapper mapper, int maxDepth) {
    this.type = type;
    this.factory = JsonMappers.strictFactory(mapper, maxDepth);
    this.reader = JsonMappers.reader(mapper, type);
    this.problem = new JsonProblem(mapper.getDeserializationConfig(), maxDepth);
  }

  T read(CharBuffer text) throws InvalidMessageException {
    try (JsonParser parser =
        factory.createParser(
            text.array(), text.arrayOffset() + text.position(), text.remaining())) {
      return read(parser);
    } catch (IOException e) {
      throw new InvalidMessageException("the body cannot be read as JSON");
    }
  }

  void verify() {
    try {
      reader.readValue("{}");
    } catch (InvalidDefinitionException e) {
      throw new IllegalArgumentException(
          "no message can be decoded as " + type.toCanonical() + ": " + e.getOriginalMessage(), e);
    } catch (IOException | RuntimeException e) {
      // An empty object need not fit; it must only be possible to bind to the type.
      return;
    }
  }

  private T read(JsonParser parser) throws InvalidMessageException {
    try {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new InvalidMessageException("the body is empty");
      }
      T value = reader.readValue(parser);
      if (first == JsonToken.VALUE_NULL || value == null) {
        throw new InvalidMessageException("the body is null, which stands for no payload");
      }
      if (parser.nextToken() != null) {
        throw problem.at(parser, "something follows the JSON value");
      }
      return value;
    } catch (IOException e) {
      throw problem.describe(e, parser);
    } catch (RuntimeException e) {
      throw new InvalidMessageException(
          "the body cannot be bound: " + e.getClass().getName() + " was thrown");
    } catch (StackOverflowError e) {
      throw new InvalidMessageException(
          "the body is nested deeper than the stack lets bind to " + type.toCanonical());
    }
  }
}
