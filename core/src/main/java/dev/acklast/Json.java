package dev.acklast;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.type.TypeFactory;
import dev.acklast.spi.Envelope;
import java.lang.reflect.Type;

/**
 * Decoders for JSON (RFC 8259), with Jackson. Immutable and thread-safe.
 *
 * <p>Strict where two readers of one body could disagree: a field that occurs twice in an object,
 * anything after the value, an empty body, JSON's {@code null} as the body, bytes that are not
 * valid in their charset, and what is larger or deeper than the limits make the message invalid.
 * Lenient where producers grow: unknown fields are ignored. An unknown enum value is invalid, and
 * so is a number that does not fit its field; trees keep all digits of a number. Types come from
 * here alone: no header and no field of the message chooses a class. A byte order mark is accepted.
 *
 * <p>The content types {@code application/json}, any {@code …+json}, {@code text/json}, {@code
 * text/plain}, {@code application/octet-stream} and none at all are read; others are invalid. The
 * charset is UTF-8 unless UTF-16 or UTF-32 is stated (big-endian unless a byte order mark or the
 * name says otherwise); others are invalid. The content encoding {@code gzip} (the property, or a
 * header {@code Content-Encoding} in any case) is decompressed.
 *
 * @param <T> what the body becomes
 */
public final class Json<T> implements Decoder<T> {
  private final JavaType type;
  private final ObjectMapper mapper;
  private final ReadLimits limits;
  private final JsonReading<T> reading;

  private Json(JavaType type, ObjectMapper mapper, ReadLimits limits) {
    this.type = type;
    this.mapper = mapper;
    this.limits = limits;
    this.reading = new JsonReading<>(type, mapper, limits.maxDepth());
  }

  /** Binds the body to a class: a record, a bean, an enum, whatever Jackson can bind. */
  public static <T> Json<T> as(Class<T> type) {
    return of(type);
  }

  /** Binds the body to a generic type, {@code new TypeReference<List<Sale>>() {}} say. */
  public static <T> Json<T> as(TypeReference<T> type) {
    return of(type.getType());
  }

  /** The body as a tree. */
  public static Json<JsonNode> tree() {
    return of(JsonNode.class);
  }

  /**
   * Limits the size of the body once decompressed; what is larger is invalid.
   *
   * @param maxBytes 1 to 536,870,912; default 10 MiB
   */
  public Json<T> maxBytes(int maxBytes) {
    return new Json<>(type, mapper, limits.withMaxBytes(maxBytes));
  }

  /**
   * Limits the levels of nesting, the outermost value included; what is deeper is invalid. Types
   * that contain themselves are bound recursively: some hundred levels of them may end the thread's
   * stack before this limit, which makes the message invalid too. Trees do not need the stack.
   *
   * @param maxDepth 1 to 10,000; default 1,000
   */
  public Json<T> maxDepth(int maxDepth) {
    return new Json<>(type, mapper, limits.withMaxDepth(maxDepth));
  }

  /**
   * Binds with the user's own mapper: its modules, its naming, and its answer to unknown fields and
   * unknown enum values (Jackson's own default fails on both). It is copied, and never altered; the
   * strictness of the body's syntax and the limits are set on the copy.
   *
   * @throws IllegalArgumentException if the mapper has default typing active, with which the
   *     message would choose classes, or is not for JSON
   */
  public Json<T> mapper(ObjectMapper mapper) {
    return new Json<>(type, JsonMappers.checkedCopy(mapper), limits);
  }

  @Override
  public T decode(Envelope envelope) throws InvalidMessageException {
    return reading.read(new BodyReader(envelope).jsonText(limits.maxBytes()));
  }

  /** The same reading, to a tree. */
  Json<JsonNode> asTree() {
    return new Json<>(TypeFactory.defaultInstance().constructType(JsonNode.class), mapper, limits);
  }

  /**
   * Finds a target type that no message could ever be bound to, which would otherwise dead-letter
   * all of them.
   *
   * @throws IllegalArgumentException if Jackson cannot bind to the type
   */
  void verify() {
    reading.verify();
  }

  private static <T> Json<T> of(Type type) {
    return new Json<>(
        TypeFactory.defaultInstance().constructType(type),
        JsonMappers.STANDARD,
        ReadLimits.STANDARD);
  }
}
