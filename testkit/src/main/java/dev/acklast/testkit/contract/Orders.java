package dev.acklast.testkit.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.acklast.InvalidMessageException;
import dev.acklast.spi.Envelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The messages of the contract: JSON with the business key in {@code orderId}. */
final class Orders {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Orders() {}

  static Envelope order(String id) {
    return Envelope.of("?", body(id)).messageId("m-" + id).contentType("application/json").build();
  }

  static byte[] body(String id) {
    return ("{\"orderId\":\"" + id + "\"}").getBytes(StandardCharsets.UTF_8);
  }

  /** Orders {@code prefix-0}, {@code prefix-1}, … */
  static List<Envelope> orders(String prefix, int count) {
    List<Envelope> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(order(prefix + "-" + i));
    }
    return all;
  }

  static JsonNode decode(Envelope envelope) throws InvalidMessageException {
    try {
      return JSON.readTree(envelope.body());
    } catch (IOException e) {
      throw new InvalidMessageException("the body is no JSON");
    }
  }

  static String id(JsonNode order) {
    return order.path("orderId").asText();
  }

  /** The death that a dead letter tells of. */
  static JsonNode death(Envelope deadLetter) {
    String header = deadLetter.header(dev.acklast.spi.DeathReport.HEADER);
    if (header == null) {
      throw new AssertionError("the dead letter has no header of its death");
    }
    try {
      return JSON.readTree(header);
    } catch (IOException e) {
      throw new AssertionError("the header of its death is no JSON", e);
    }
  }
}
