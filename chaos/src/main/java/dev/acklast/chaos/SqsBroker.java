package dev.acklast.chaos;

import dev.acklast.servers.Servers;
import dev.acklast.servers.SqsServer;
import dev.acklast.servers.TcpProxy;
import dev.acklast.spi.Source;
import dev.acklast.sqs.SqsSource;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** SQS, as ElasticMQ plays it, with standard or FIFO queues. */
final class SqsBroker implements Broker {
  private static final String ENDPOINT = "CHAOS_SQS";
  private static final String REGION = "CHAOS_SQS_REGION";
  private static final Duration CALL_LIMIT = Duration.ofSeconds(8);

  /** Shorter than a consumer is stopped for. */
  private static final Duration LEASE = Duration.ofSeconds(8);

  private final SqsServer server;
  private final SqsQueues queues;
  private final TcpProxy producerLink;
  private final List<TcpProxy> workerLinks = new ArrayList<>();
  private final List<Letter> letters = new ArrayList<>();

  private SqsBroker(SqsServer server, boolean fifo) {
    this.server = server;
    this.queues = new SqsQueues(server.client(), fifo);
    this.producerLink = TcpProxy.to(server.host(), server.port());
    for (int worker = 0; worker < Crew.MOST; worker++) {
      workerLinks.add(TcpProxy.to(server.host(), server.port()));
    }
  }

  static SqsBroker start(boolean fifo) {
    SqsBroker broker = new SqsBroker(Servers.sqs(), fifo);
    broker.queues.create();
    return broker;
  }

  static Source standardSource(Map<String, String> environment) {
    return source(environment, false);
  }

  static Source fifoSource(Map<String, String> environment) {
    return source(environment, true);
  }

  private static Source source(Map<String, String> environment, boolean fifo) {
    URI endpoint = URI.create(Objects.requireNonNull(environment.get(ENDPOINT), ENDPOINT));
    String region = Objects.requireNonNull(environment.get(REGION), REGION);
    SqsQueues queues = new SqsQueues(client(endpoint, region), fifo);
    return SqsSource.queue(queues.client(), queues.source())
        .visibilityTimeout(LEASE)
        .longPoll(Duration.ofSeconds(1));
  }

  private static SqsClient client(URI endpoint, String region) {
    return SqsClient.builder()
        .endpointOverride(endpoint)
        .region(Region.of(region))
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .overrideConfiguration(
            ClientOverrideConfiguration.builder().apiCallTimeout(CALL_LIMIT).build())
        .build();
  }

  private static URI through(TcpProxy link) {
    return URI.create("http://127.0.0.1:" + link.port());
  }

  @Override
  public String describe() {
    return server + (queues.fifo() ? ", FIFO queue" : ", standard queue");
  }

  @Override
  public Map<String, String> addresses(int worker) {
    return Map.of(ENDPOINT, through(workerLinks.get(worker)).toString(), REGION, server.region());
  }

  @Override
  public List<TcpProxy> workerLinks() {
    return List.copyOf(workerLinks);
  }

  @Override
  public TcpProxy producerLink() {
    return producerLink;
  }

  @Override
  public Outlet outlet() {
    return new SqsOutlet(
        new SqsQueues(client(through(producerLink), server.region()), queues.fifo()));
  }

  @Override
  public synchronized List<Letter> letters() throws IOException {
    letters.addAll(queues.takeLetters());
    return List.copyOf(letters);
  }

  @Override
  public Residue residue() {
    return queues.residue();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void freeze() {
    server.freeze();
  }

  @Override
  public void thaw() {
    server.thaw();
  }

  @Override
  public void close() {
    producerLink.close();
    workerLinks.forEach(TcpProxy::close);
    queues.client().close();
    server.close();
  }
}
