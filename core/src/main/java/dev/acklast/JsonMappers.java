package dev.acklast;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.TSFBuilder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

/** How Jackson is set up. */
final class JsonMappers {
  static final ObjectMapper STANDARD =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .addModule(new Jdk8Module())
          .enable(MapperFeature.BLOCK_UNSAFE_POLYMORPHIC_BASE_TYPES)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
          .build();

  private JsonMappers() {}

  static ObjectMapper checkedCopy(ObjectMapper mapper) {
    JavaType anything = TypeFactory.unknownType();
    if (mapper.getDeserializationConfig().getDefaultTyper(anything) != null) {
      throw new IllegalArgumentException(
          "the mapper has default typing active, so a message could choose classes; give a mapper"
              + " without it, and name subtypes with @JsonTypeInfo(use = NAME) where needed");
    }
    if (!JsonFactory.FORMAT_NAME_JSON.equals(mapper.getFactory().getFormatName())) {
      throw new IllegalArgumentException(
          "the mapper reads " + mapper.getFactory().getFormatName() + "; give one for JSON");
    }
    return mapper.copy();
  }

  /** The mapper's own factory, made strict. */
  static JsonFactory strictFactory(ObjectMapper mapper, int maxDepth) {
    JsonFactory original = mapper.getFactory();
    TSFBuilder<?, ?> builder = original.rebuild();
    return builder
        .streamReadConstraints(
            original.streamReadConstraints().rebuild().maxNestingDepth(maxDepth).build())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .build();
  }

  /** Reads the type; trees keep all digits, whatever the mapper says of other types. */
  static ObjectReader reader(ObjectMapper mapper, JavaType type) {
    ObjectReader reader = mapper.readerFor(type);
    if (!type.isTypeOrSubTypeOf(JsonNode.class)) {
      return reader;
    }
    return reader
        .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
  }
}
