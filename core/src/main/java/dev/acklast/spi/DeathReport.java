package dev.acklast.spi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a message went to the dead-letter queue: what an adapter writes into the one header {@value
 * #HEADER}. Never holds payload.
 *
 * @param id the same for every copy of this death; a redriven message carries it back
 * @param reason a word from a closed set: {@code INVALID}, {@code MAX_ATTEMPTS}, …
 * @param attempts runs that failed, the first included; 0 if the handler never saw it
 * @param exception the class name of the last failure
 * @param message the last failure's message, bounded and sanitised by core
 * @param source the queue or topic it came from
 * @param position where it was there
 * @param consumer the consumer's name
 * @param key the business key, if it could be read
 * @param time when it was written, by the database's clock
 */
public record DeathReport(
    String id,
    String reason,
    int attempts,
    @Nullable String exception,
    @Nullable String message,
    String source,
    String position,
    String consumer,
    @Nullable String key,
    Instant time) {
  /** The one header that a dead letter gains. */
  public static final String HEADER = "acklast-death";

  private static final ObjectMapper JSON = new ObjectMapper();

  public DeathReport {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(reason, "reason");
  }

  /** The header's value: one line of JSON in ASCII. */
  public String toHeader() {
    ObjectNode json = JSON.createObjectNode();
    json.put("id", id).put("reason", reason).put("attempts", attempts);
    putIfPresent(json, "exception", exception);
    putIfPresent(json, "message", message);
    json.put("source", source).put("position", position).put("consumer", consumer);
    putIfPresent(json, "key", key);
    json.put("time", time.toString());
    try {
      return JSON.writer()
          .with(com.fasterxml.jackson.core.json.JsonWriteFeature.ESCAPE_NON_ASCII)
          .writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of texts and numbers is always writable", e);
    }
  }

  private static void putIfPresent(ObjectNode json, String name, @Nullable String value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
