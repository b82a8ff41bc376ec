package dev.acklast.sqs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.acklast.spi.DeathReport;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * A message's attributes, and the record of its death among them. SQS takes ten attributes: where
 * all ten are the user's, the last by name travels inside the record, and comes out of it when the
 * message is redriven. Immutable.
 *
 * @param attributes the user's own, by name
 * @param carried the record of an earlier death as core wrote it; null if there was none
 */
record DeathRecord(Map<String, MessageAttributeValue> attributes, @Nullable String carried) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_ATTRIBUTES = 10;
  private static final String PACKED = "attributes";

  /** What is left out, one after another, where a message would grow beyond the limit. */
  private static final List<List<String>> DISPENSABLE =
      List.of(
          List.of("message"),
          List.of("exception", "position", "source", "consumer", "key"),
          List.of("reason", "attempts", "time"));

  /** Takes the record, if there is one, out of what was received. */
  static DeathRecord of(Map<String, MessageAttributeValue> received) {
    Map<String, MessageAttributeValue> own = new LinkedHashMap<>(received);
    MessageAttributeValue record = own.remove(DeathReport.HEADER);
    String text = record == null ? null : record.stringValue();
    if (text == null) {
      return new DeathRecord(own, null);
    }
    try {
      if (JSON.readTree(text) instanceof ObjectNode json) {
        JsonNode packed = json.remove(PACKED);
        if (packed != null) {
          packed.properties().forEach(field -> own.put(field.getKey(), unpacked(field.getValue())));
          text = JSON.writeValueAsString(json);
        }
      }
    } catch (JsonProcessingException | IllegalArgumentException e) {
      // somebody else's attribute of the same name: it is left as it is
    }
    return new DeathRecord(own, text);
  }

  /**
   * The attributes of the dead letter. Diagnostics are left out where the message would be too
   * large with them, in the end the record itself; never anything of the user's.
   *
   * @param room how many bytes there are beside the body
   */
  Map<String, MessageAttributeValue> with(DeathReport report, int room) {
    TreeMap<String, MessageAttributeValue> kept = new TreeMap<>(attributes);
    ObjectNode json = parsed(report.toHeader());
    while (kept.size() >= MOST_ATTRIBUTES) {
      Map.Entry<String, MessageAttributeValue> last = kept.pollLastEntry();
      json.withObject("/" + PACKED).set(last.getKey(), packed(last.getValue()));
    }
    Map<String, MessageAttributeValue> all = new LinkedHashMap<>(kept);
    for (List<String> names : DISPENSABLE) {
      all.put(DeathReport.HEADER, Attributes.text(json.toString()));
      if (Attributes.size(all) <= room) {
        return all;
      }
      json.remove(names);
    }
    all.put(DeathReport.HEADER, Attributes.text(json.toString()));
    if (Attributes.size(all) > room && !json.has(PACKED)) {
      all.remove(DeathReport.HEADER);
    }
    return all;
  }

  private static ObjectNode parsed(String header) {
    try {
      return (ObjectNode) JSON.readTree(header);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("core writes JSON", e);
    }
  }

  private static ObjectNode packed(MessageAttributeValue value) {
    ObjectNode json = JSON.createObjectNode().put("type", value.dataType());
    return value.binaryValue() == null
        ? json.put("text", value.stringValue())
        : json.put(
            "bytes", Base64.getEncoder().encodeToString(value.binaryValue().asByteArrayUnsafe()));
  }

  private static MessageAttributeValue unpacked(JsonNode json) {
    MessageAttributeValue.Builder value =
        MessageAttributeValue.builder().dataType(json.path("type").asText());
    return json.has("bytes")
        ? value
            .binaryValue(
                SdkBytes.fromByteArray(Base64.getDecoder().decode(json.path("bytes").asText())))
            .build()
        : value.stringValue(json.path("text").asText()).build();
  }
}
