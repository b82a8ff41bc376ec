package dev.acklast.servers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

/** RabbitMQ's management HTTP API, as far as tests need it. Thread-safe. */
final class ManagementApi {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LIMIT).build();
  private final String uri;
  private final String authorization;

  ManagementApi(String uri, String user, String password) {
    this.uri = uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
    byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    this.authorization = "Basic " + Base64.getEncoder().encodeToString(credentials);
  }

  /** The base URI, without credentials. */
  String uri() {
    return uri;
  }

  /** What is there; a {@link MissingNode} where there is nothing (404). */
  JsonNode get(String path) {
    HttpResponse<String> response = send("GET", path, BodyPublishers.noBody());
    if (response.statusCode() == 404) {
      return MissingNode.getInstance();
    }
    return parse(checked("GET", path, response).body());
  }

  /** The bare status of a health check, 200 or 503. */
  int status(String path) {
    return send("GET", path, BodyPublishers.noBody()).statusCode();
  }

  /** Creates or replaces. */
  void put(String path, Map<String, ?> body) {
    try {
      String text = JSON.writeValueAsString(body);
      checked("PUT", path, send("PUT", path, BodyPublishers.ofString(text)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes; what is gone already is fine. */
  void delete(String path) {
    HttpResponse<String> response = send("DELETE", path, BodyPublishers.noBody());
    if (response.statusCode() != 404) {
      checked("DELETE", path, response);
    }
  }

  private HttpResponse<String> send(String method, String path, HttpRequest.BodyPublisher body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri + path))
            .timeout(LIMIT)
            .header("Authorization", authorization)
            .header("Content-Type", "application/json")
            .method(method, body)
            .build();
    try {
      try {
        return client.send(request, BodyHandlers.ofString());
      } catch (IOException e) {
        // A connection kept since before the broker's restart; all our calls can be repeated.
        return client.send(request, BodyHandlers.ofString());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("RabbitMQ's management API at " + uri + " is silent", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while calling " + method + " " + path, e);
    }
  }

  private HttpResponse<String> checked(String method, String path, HttpResponse<String> response) {
    if (response.statusCode() / 100 != 2) {
      throw new IllegalStateException(
          "RabbitMQ's management API answered "
              + response.statusCode()
              + " to "
              + method
              + " "
              + path
              + ": "
              + reason(response.body()));
    }
    return response;
  }

  private static String reason(String body) {
    try {
      return JSON.readTree(body).path("reason").asText();
    } catch (IOException e) {
      return "no reason given";
    }
  }

  private static JsonNode parse(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException("RabbitMQ's management API answered no JSON", e);
    }
  }

  /** The API's objects as plain maps, lists, texts and numbers. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> toMap(JsonNode node) {
    return node.isObject() ? JSON.convertValue(node, Map.class) : Map.of();
  }
}
