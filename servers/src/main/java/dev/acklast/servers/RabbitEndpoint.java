package dev.acklast.servers;

import com.rabbitmq.client.ConnectionFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/** Where a RabbitMQ virtual host is and who enters. */
record RabbitEndpoint(
    String scheme, String host, int port, String user, String password, String virtualHost) {

  /**
   * Reads an AMQP URI.
   *
   * @throws IllegalArgumentException if it is none; the message does not repeat it, since it may
   *     hold a password
   */
  static RabbitEndpoint parse(String uri) {
    try {
      ConnectionFactory parsed = new ConnectionFactory();
      URI address = new URI(uri);
      if (address.getHost() == null) {
        throw new IllegalArgumentException("no host");
      }
      parsed.setUri(address);
      return new RabbitEndpoint(
          parsed.isSSL() ? "amqps" : "amqp",
          parsed.getHost(),
          parsed.getPort(),
          parsed.getUsername(),
          parsed.getPassword(),
          parsed.getVirtualHost());
    } catch (URISyntaxException | GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The broker's URI must look like amqp://USER:PASSWORD@HOST:PORT/VHOST, with special"
              + " characters percent-encoded (a virtual host named / is %2F)");
    }
  }

  RabbitEndpoint withVirtualHost(String name) {
    return new RabbitEndpoint(scheme, host, port, user, password, name);
  }

  RabbitEndpoint withUser(String name, String secret) {
    return new RabbitEndpoint(scheme, host, port, name, secret, virtualHost);
  }

  /** With credentials: never to be logged. */
  String uri() {
    return scheme
        + "://"
        + encode(user)
        + ":"
        + encode(password)
        + "@"
        + host
        + ":"
        + port
        + "/"
        + encode(virtualHost);
  }

  ConnectionFactory connectionFactory() {
    try {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(uri());
      return factory;
    } catch (URISyntaxException | GeneralSecurityException e) {
      // Neither message nor cause may be passed on: they can quote the URI.
      throw new IllegalStateException("No connection factory can be made for " + this);
    }
  }

  /** Percent-encoding for one segment of a URI. */
  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Without credentials. */
  @Override
  public String toString() {
    return "RabbitMQ at " + host + ":" + port + ", virtual host " + virtualHost;
  }
}
