package dev.acklast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A message in the dead-letter queue.
 *
 * @param key as its producer wrote it into a header; null if that is gone
 * @param messageId as its producer gave it; null if that is gone
 * @param death what its report says; null if there is none
 */
record Letter(
    @Nullable String key, @Nullable String messageId, byte[] body, @Nullable Death death) {
  /** The header with the key; bodies may be cut off. */
  static final String KEY_HEADER = "chaos-key";

  /** The header with the message id, as not every broker keeps the producer's. */
  static final String ID_HEADER = "chaos-id";

  /**
   * A dead letter's report.
   *
   * @param id the same for all copies of one death
   */
  record Death(String id, String reason, int attempts) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a report's header says; null if there is none. */
    static @Nullable Death parse(@Nullable String header) throws IOException {
      if (header == null) {
        return null;
      }
      JsonNode report = JSON.readTree(header);
      return new Death(
          report.path("id").asText(),
          report.path("reason").asText(),
          report.path("attempts").asInt(-1));
    }
  }
}
