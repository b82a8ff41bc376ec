package dev.acklast.servers;

import java.net.URI;
import java.util.Map;

/** The servers that the user names in the environment. */
final class OwnServers {
  static final String DATABASE_URL = "ACKLAST_DATABASE_URL";
  static final String DATABASE_USER = "ACKLAST_DATABASE_USER";
  static final String DATABASE_PASSWORD = "ACKLAST_DATABASE_PASSWORD";
  static final String RABBITMQ_URI = "ACKLAST_RABBITMQ_URI";
  static final String RABBITMQ_MANAGEMENT = "ACKLAST_RABBITMQ_MANAGEMENT";

  private OwnServers() {}

  /**
   * The user's database server.
   *
   * @throws UnsupportedOperationException if settings are asked for, which only a private server
   *     can be given
   */
  static PostgresServer postgres(Map<String, String> environment, Map<String, String> settings) {
    refuse(!settings.isEmpty(), DATABASE_URL);
    PostgresEndpoint endpoint =
        new PostgresEndpoint(
            environment.getOrDefault(DATABASE_URL, ""),
            environment.getOrDefault(DATABASE_USER, "postgres"),
            environment.getOrDefault(DATABASE_PASSWORD, ""));
    return new PostgresServer(new OwnServer("Your " + endpoint, DATABASE_URL), endpoint);
  }

  /**
   * The user's broker.
   *
   * @throws UnsupportedOperationException if options are asked for, which only a private server can
   *     be given
   */
  static RabbitServer rabbit(Map<String, String> environment, RabbitOptions options) {
    refuse(!options.equals(RabbitOptions.defaults()), RABBITMQ_URI);
    RabbitEndpoint endpoint = RabbitEndpoint.parse(environment.getOrDefault(RABBITMQ_URI, ""));
    String management = environment.getOrDefault(RABBITMQ_MANAGEMENT, "");
    return new RabbitServer(
        new OwnServer("Your " + endpoint, RABBITMQ_URI),
        endpoint,
        management.isBlank()
            ? new ManagementApi(
                "http://" + endpoint.host() + ":15672", endpoint.user(), endpoint.password())
            : managementAt(management, endpoint));
  }

  private static ManagementApi managementAt(String address, RabbitEndpoint endpoint) {
    URI uri = URI.create(address);
    String credentials = uri.getUserInfo();
    String base = uri.getScheme() + "://" + uri.getHost() + ":" + uri.getPort() + uri.getPath();
    if (credentials == null || !credentials.contains(":")) {
      return new ManagementApi(base, endpoint.user(), endpoint.password());
    }
    int colon = credentials.indexOf(':');
    return new ManagementApi(
        base, credentials.substring(0, colon), credentials.substring(colon + 1));
  }

  private static void refuse(boolean configured, String variable) {
    if (configured) {
      throw new UnsupportedOperationException(
          "This needs a server with settings of its own, which yours in "
              + variable
              + " cannot be given; unset "
              + variable
              + " to run it");
    }
  }
}
