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
 *
 * <p>Thread-safe. Calls that start or end the server run one at a time. Where {@link #canRestart()}
 * is false, they throw {@link UnsupportedOperationException}.
 */
public final class SqsServer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
  private static final String DUMMY = "test";

  private final ServerEngine engine;
  private final SqsEndpoint endpoint;

  SqsServer(ServerEngine engine, SqsEndpoint endpoint) {
    this.engine = engine;
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

  /** Whether the calls that start, end, freeze and thaw the server are available. */
  public boolean canRestart() {
    return engine.canRestart();
  }

  /** Whether the server's process exists; a frozen one does. */
  public synchronized boolean isRunning() {
    return engine.isRunning();
  }

  /** Kills the server at once, as kill -9 does. */
  public synchronized void kill() {
    engine.kill();
  }

  /** Stops the server in order. */
  public synchronized void stop() {
    engine.stop();
  }

  /**
   * Starts the server on the same port and data, and returns when it answers. Does nothing if it
   * runs.
   *
   * @throws IllegalStateException if it does not come up within 120 s; the message has the log's
   *     last lines
   */
  public synchronized void start() {
    if (!engine.isRunning()) {
      engine.start();
    }
    Readiness.await(engine, START_LIMIT, this::answers);
  }

  /** {@link #stop()} and {@link #start()}. */
  public synchronized void restart() {
    engine.stop();
    start();
  }

  /** Suspends the server: connections stay open and nothing answers. */
  public synchronized void freeze() {
    engine.freeze();
  }

  /** Lets a frozen server go on. */
  public synchronized void thaw() {
    engine.thaw();
  }

  /** Ends a private server and deletes its data; leaves the user's own alone. */
  @Override
  public synchronized void close() {
    engine.close();
  }

  /** What this is and where, without credentials. */
  @Override
  public String toString() {
    return engine.description();
  }

  /** Starts for the first time, and leaves nothing behind if that fails. */
  SqsServer started() {
    try {
      start();
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Any answer will do, a refusal for want of credentials too. */
  private void answers() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(endpoint()).timeout(ANSWER_LIMIT).build();
    HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(request, HttpResponse.BodyHandlers.discarding());
  }
}
