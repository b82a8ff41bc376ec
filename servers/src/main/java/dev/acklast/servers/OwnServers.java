package dev.acklast.servers;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The servers that the user names in the environment. */
final class OwnServers {
  static final String DATABASE_URL = "ACKLAST_DATABASE_URL";
  static final String DATABASE_USER = "ACKLAST_DATABASE_USER";
  static final String DATABASE_PASSWORD = "ACKLAST_DATABASE_PASSWORD";
  static final String RABBITMQ_URI = "ACKLAST_RABBITMQ_URI";
  static final String RABBITMQ_MANAGEMENT = "ACKLAST_RABBITMQ_MANAGEMENT";
  static final String SQS_ENDPOINT = "ACKLAST_SQS_ENDPOINT";
  static final String AWS_REGION = "AWS_REGION";
  static final String KAFKA_BOOTSTRAP = "ACKLAST_KAFKA_BOOTSTRAP";

  private static final Pattern MANAGEMENT_ADDRESS =
      Pattern.compile(
          "(?<scheme>https?://)((?<user>[^:@/]+):(?<password>[^:@/]+)@)?(?<rest>[^@\\s]+)");

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
        PostgresEndpoint.of(
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

  /** What the user names as SQS: the service itself, or something that speaks as it does. */
  static SqsServer sqs(Map<String, String> environment) {
    SqsEndpoint endpoint =
        SqsEndpoint.parse(
            environment.getOrDefault(SQS_ENDPOINT, ""),
            environment.getOrDefault(AWS_REGION, "us-east-1"));
    return new SqsServer(new OwnServer("Your " + endpoint, SQS_ENDPOINT), endpoint);
  }

  /**
   * The user's Kafka cluster.
   *
   * @throws UnsupportedOperationException if settings are asked for, which only a private server
   *     can be given
   */
  static KafkaServer kafka(Map<String, String> environment, Map<String, String> settings) {
    refuse(!settings.isEmpty(), KAFKA_BOOTSTRAP);
    String bootstrap = environment.getOrDefault(KAFKA_BOOTSTRAP, "").strip();
    if (!bootstrap.matches("[^\\s@,/]+:\\d+(,[^\\s@,/]+:\\d+)*")) {
      throw new IllegalArgumentException(
          KAFKA_BOOTSTRAP + " must look like HOST:PORT or HOST:PORT,HOST:PORT");
    }
    OwnServer engine = new OwnServer("Your Kafka at " + bootstrap, KAFKA_BOOTSTRAP);
    return new KafkaServer(engine, bootstrap, Optional.empty(), bootstrap);
  }

  private static ManagementApi managementAt(String address, RabbitEndpoint endpoint) {
    Matcher parts = MANAGEMENT_ADDRESS.matcher(address);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          RABBITMQ_MANAGEMENT
              + " must look like http://HOST:PORT or http://USER:PASSWORD@HOST:PORT");
    }
    String base = parts.group("scheme") + parts.group("rest");
    if (parts.group("user") == null) {
      return new ManagementApi(base, endpoint.user(), endpoint.password());
    }
    return new ManagementApi(base, decode(parts.group("user")), decode(parts.group("password")));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
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
