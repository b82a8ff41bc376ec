package dev.acklast.servers;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * A running server that speaks SQS, obtained from {@link Servers}: ElasticMQ, LocalStack, or what
 * the user names.
 *
 * <p>ElasticMQ keeps its queues and messages over a kill, but not what it has lent: those messages
 * stay invisible until their time is over.
 */
public final class SqsServer extends Server {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
  private static final String DUMMY = "test";

  private final SqsEndpoint endpoint;

  SqsServer(ServerEngine engine, SqsEndpoint endpoint) {
    super(engine, START_LIMIT);
    this.endpoint = endpoint;
  }

  /** Where it listens: a scheme, a host and, on private servers, a port. */
  public URI endpoint() {
    return endpoint.uri();
  }

  /** The region to be named in requests. */
  public String region() {
    return endpoint.region();
  }

  /** The host that it listens on. */
  public String host() {
    return endpoint.uri().getHost();
  }

  /** The TCP port, 1 to 65535; the same after every restart. */
  public int port() {
    return endpoint.port();
  }

  /** A new client of this server, to be closed by the caller. */
  public SqsClient client() {
    return clientBuilder(endpoint()).build();
  }

  /**
   * What builds clients of this server: with dummy credentials on this machine, where nobody looks
   * at them, else with those of the usual environment.
   *
   * @param address this server's, or that of a proxy in front of it
   */
  public SqsClientBuilder clientBuilder(URI address) {
    SqsClientBuilder builder =
        SqsClient.builder().endpointOverride(address).region(Region.of(region()));
    return endpoint.isLoopback()
        ? builder.credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(DUMMY, DUMMY)))
        : builder;
  }

  /** Starts for the first time, and leaves nothing behind if that fails. */
  SqsServer started() {
    startOrClose(() -> {});
    return this;
  }

  /** Any answer will do, a refusal for want of credentials too. */
  @Override
  void answers() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(endpoint()).timeout(ANSWER_LIMIT).build();
    HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(request, HttpResponse.BodyHandlers.discarding());
  }
}
