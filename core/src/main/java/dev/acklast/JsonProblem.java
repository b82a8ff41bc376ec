package dev.acklast;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DatabindException;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with a body in words of our own, as Jackson's texts quote the body. Names of
 * fields appear only if the target type declares them.
 */
final class JsonProblem {
  private final DeserializationConfig config;
  private final int maxDepth;

  JsonProblem(DeserializationConfig config, int maxDepth) {
    this.config = config;
    this.maxDepth = maxDepth;
  }

  InvalidMessageException describe(IOException failure, JsonParser parser) {
    if (failure instanceof StreamConstraintsException) {
      boolean deep = parser.getParsingContext().getNestingDepth() >= maxDepth;
      return at(
          parser,
          deep
              ? "the body is nested deeper than the " + maxDepth + " levels of max-depth"
              : "a number, a name or a text of the body is longer than the parser allows");
    }
    if (failure instanceof JsonMappingException mapping) {
      // Problems of the parser inside a bound object come wrapped, with the place in the type
      // added.
      Throwable cause = mapping.getCause();
      return cause instanceof JacksonException parsing
              && !(cause instanceof DatabindException)
              && !(cause instanceof InputCoercionException)
          ? describe(parsing, parser)
          : binding(mapping);
    }
    if (failure instanceof InputCoercionException) {
      return new InvalidMessageException("the body holds a number out of its type's range");
    }
    // Only the wording depends on Jackson's text; either way the message is invalid.
    String text = failure.getMessage();
    boolean twice = text != null && text.startsWith("Duplicate field");
    return at(
        parser, twice ? "a field occurs twice in one JSON object" : "the body is not valid JSON");
  }

  InvalidMessageException at(JsonParser parser, String what) {
    JsonLocation location = parser.currentLocation();
    return new InvalidMessageException(
        what + ", at line " + location.getLineNr() + ", column " + location.getColumnNr());
  }

  private InvalidMessageException binding(JsonMappingException failure) {
    String place = path(failure);
    if (failure.getCause() instanceof InputCoercionException) {
      return new InvalidMessageException(place + " holds a number out of its type's range");
    }
    if (failure instanceof ValueInstantiationException creation) {
      Throwable cause = creation.getCause();
      return new InvalidMessageException(
          place
              + " does not make a "
              + name(creation.getType().getRawClass())
              + ": "
              + (cause == null ? "it" : cause.getClass().getName())
              + " was thrown");
    }
    if (failure instanceof PropertyBindingException) {
      return new InvalidMessageException(place + " is a field that the target type does not allow");
    }
    if (failure instanceof InvalidFormatException format) {
      return new InvalidMessageException(
          place + " holds a value that is no valid " + name(format.getTargetType()));
    }
    if (failure instanceof MismatchedInputException mismatch) {
      return new InvalidMessageException(
          place + " does not fit the type " + name(mismatch.getTargetType()));
    }
    if (failure instanceof InvalidDefinitionException definition) {
      return new InvalidMessageException(
          place + " has a type that cannot be bound: " + definition.getType().toCanonical());
    }
    return new InvalidMessageException(place + " cannot be bound to its type");
  }

  private static String name(@Nullable Class<?> type) {
    return type == null ? "that is expected" : type.getSimpleName();
  }

  private String path(JsonMappingException failure) {
    StringBuilder path = new StringBuilder();
    for (Reference step : failure.getPath()) {
      path.append('/');
      if (step.getFieldName() == null) {
        path.append(step.getIndex());
      } else {
        path.append(isDeclared(step) ? step.getFieldName() : "*");
      }
    }
    return path.length() == 0 ? "the body" : "the field " + path;
  }

  /** A map's keys and unknown fields are the sender's words, and may hold anything. */
  private boolean isDeclared(Reference step) {
    Object from = step.getFrom();
    if (from == null) {
      return false;
    }
    Class<?> type = from instanceof Class<?> declared ? declared : from.getClass();
    return config.introspect(config.constructType(type)).findProperties().stream()
        .anyMatch(property -> property.getName().equals(step.getFieldName()));
  }
}
