package dev.acklast.servers;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/** Where something that speaks SQS listens. */
record SqsEndpoint(URI uri, String region) {

  /**
   * Reads an endpoint.
   *
   * @throws IllegalArgumentException if it is none; the message does not repeat it, since it may
   *     hold a password
   */
  static SqsEndpoint parse(String text, String region) {
    try {
      URI uri = new URI(text);
      boolean plain = uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null;
      if (plain && String.valueOf(uri.getScheme()).matches("https?")) {
        return new SqsEndpoint(uri, region);
      }
    } catch (URISyntaxException e) {
      // as any other that is no endpoint
    }
    throw new IllegalArgumentException(
        "The endpoint of SQS must look like https://sqs.eu-central-1.amazonaws.com or"
            + " http://HOST:PORT, without credentials");
  }

  static SqsEndpoint loopback(int port) {
    return new SqsEndpoint(URI.create("http://127.0.0.1:" + port), "us-east-1");
  }

  /** The TCP port, the scheme's if the endpoint names none. */
  int port() {
    if (uri.getPort() > 0) {
      return uri.getPort();
    }
    return "https".equals(uri.getScheme()) ? 443 : 80;
  }

  /** Whether it is this machine, where nobody looks at credentials. */
  boolean isLoopback() {
    try {
      return InetAddress.getByName(uri.getHost()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "SQS at " + uri + ", region " + region;
  }
}
