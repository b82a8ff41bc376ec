package dev.acklast.rabbitmq;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Reads queues from RabbitMQ's HTTP API. With the JDK's older client: the newer one leaves a thread
 * behind until it is garbage collected.
 */
final class ManagementApi {
  private static final int TIMEOUT = 2_000;
  private static final int POLICY_TRIES = 20;
  private static final long POLICY_PAUSE = 500;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI base;
  private final ConnectionFactory amqp;

  /**
   * Nothing is asked yet.
   *
   * @param amqp names the virtual host, and the user where the address has none
   */
  ManagementApi(URI base, ConnectionFactory amqp) {
    this.base = base;
    this.amqp = amqp;
  }

  /**
   * Reads one queue, policies included: the broker tells those a few seconds after the queue was
   * made or the broker started, and is asked again until then.
   *
   * @throws IOException as {@link #queue}; also if it does not tell
   */
  QueueFacts queueWithPolicies(String name) throws IOException {
    try {
      for (int tries = 0; tries < POLICY_TRIES; tries++) {
        QueueFacts facts = queue(name);
        if (facts.knowsPolicies()) {
          return facts;
        }
        Thread.sleep(POLICY_PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    throw new IOException("it does not tell which policies apply");
  }

  /**
   * Reads one queue.
   *
   * @throws IOException if that is not possible; the message says why, without credentials
   */
  QueueFacts queue(String name) throws IOException {
    String prefix = base.getPath() == null ? "" : base.getPath().replaceAll("/+$", "");
    String path = "/api/queues/" + encode(amqp.getVirtualHost()) + "/" + encode(name);
    URL url = new URL(base.getScheme(), base.getHost(), base.getPort(), prefix + path);
    HttpURLConnection http = (HttpURLConnection) url.openConnection();
    try {
      http.setConnectTimeout(TIMEOUT);
      http.setReadTimeout(TIMEOUT);
      http.setRequestProperty("Connection", "close");
      http.setRequestProperty("Authorization", "Basic " + credentials());
      int status = http.getResponseCode();
      if (status != HttpURLConnection.HTTP_OK) {
        throw new IOException("it answered " + status + advice(status));
      }
      try (InputStream body = http.getInputStream()) {
        return new QueueFacts(name, JSON.readTree(body));
      }
    } finally {
      http.disconnect();
    }
  }

  private static String advice(int status) {
    return switch (status) {
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          " (give its user the tag 'management', or other credentials in the address)";
      case HttpURLConnection.HTTP_NOT_FOUND -> " (there is no such queue)";
      default -> "";
    };
  }

  private String credentials() {
    String own = base.getUserInfo();
    String pair = own == null ? amqp.getUsername() + ":" + amqp.getPassword() : own;
    return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private static String encode(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
