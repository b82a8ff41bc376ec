package dev.acklast.sqs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What SNS wraps a published message in, where raw delivery is off.
 *
 * @param message the text that was published
 * @param headers its attributes
 */
record SnsNotification(String message, Map<String, Object> headers) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> REQUIRED =
      List.of("Type", "MessageId", "TopicArn", "Message", "Timestamp");
  private static final Set<String> KNOWN =
      Set.of(
          "Type",
          "MessageId",
          "SequenceNumber",
          "TopicArn",
          "Subject",
          "Message",
          "Timestamp",
          "SignatureVersion",
          "Signature",
          "SigningCertURL",
          "SigningCertUrl",
          "UnsubscribeURL",
          "UnsubscribeUrl",
          "MessageAttributes");

  /**
   * Reads a body.
   *
   * @return null if it is no notification: it lacks a field that they all have, or has one that
   *     none has
   */
  static @Nullable SnsNotification in(String body) {
    if (!body.contains("\"TopicArn\"")) {
      return null;
    }
    try {
      JsonNode json = JSON.readTree(body);
      return json != null && isNotification(json)
          ? new SnsNotification(json.path("Message").textValue(), headers(json))
          : null;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isNotification(JsonNode json) {
    boolean complete = REQUIRED.stream().allMatch(name -> json.path(name).isTextual());
    return complete
        && json.path("Type").textValue().equals("Notification")
        && json.path("TopicArn").textValue().matches("arn:[^:]+:sns:[^:]*:[^:]*:.+")
        && json.properties().stream().allMatch(field -> KNOWN.contains(field.getKey()));
  }

  private static Map<String, Object> headers(JsonNode json) {
    Map<String, Object> headers = new LinkedHashMap<>();
    json.path("MessageAttributes")
        .properties()
        .forEach(
            field ->
                headers.put(
                    field.getKey(),
                    header(
                        field.getValue().path("Type").asText(),
                        field.getValue().path("Value").asText())));
    return headers;
  }

  private static Object header(String type, String value) {
    return switch (type) {
      case "Binary" -> Base64.getDecoder().decode(value);
      case "Number" -> Attributes.number(value);
      default -> value;
    };
  }
}
