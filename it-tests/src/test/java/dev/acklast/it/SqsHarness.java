package dev.acklast.it;

import dev.acklast.servers.Servers;
import dev.acklast.servers.SqsFaults;
import dev.acklast.servers.SqsServer;
import dev.acklast.servers.TcpProxy;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import dev.acklast.sqs.SqsSource;
import dev.acklast.testkit.contract.Abilities;
import dev.acklast.testkit.contract.Ability;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DeadLetterFault;
import dev.acklast.testkit.contract.NetworkState;
import dev.acklast.testkit.contract.SourceOpener;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Binds the contract to queues of one kind on this JVM's SQS. Consumers come through a proxy, which
 * breaks their connections, and through a client that fails on demand; the case's own calls do not.
 */
public final class SqsHarness implements BrokerHarness {
  private static final Duration LATENCY = Duration.ofMillis(30);
  private static final Duration SHORT_LEASE = Duration.ofSeconds(2);
  private static final int LARGEST_BODY = 1 << 20;

  private final boolean fifo;
  private final SqsServer server = Servers.sharedSqs();
  private final SqsAdmin admin = new SqsAdmin(server.client());
  private final TcpProxy proxy = TcpProxy.to(server.host(), server.port());
  private final SqsClient proxied =
      server.clientBuilder(URI.create("http://127.0.0.1:" + proxy.port())).build();
  private final SqsFaults faults = new SqsFaults(proxied);
  private final Set<String> queues = ConcurrentHashMap.newKeySet();

  public SqsHarness(boolean fifo) {
    this.fifo = fifo;
  }

  @Override
  public String kind() {
    return fifo ? "sqs fifo" : "sqs standard";
  }

  @Override
  public Abilities abilities() {
    String full = "a queue has no limit";
    Abilities abilities =
        Abilities.all()
            .withLargestBody(LARGEST_BODY)
            .without(Ability.BINARY_BODY, "bodies are text")
            .without(Ability.EMPTY_BODY, "SQS takes no empty body")
            .without(Ability.TYPED_HEADERS, "attributes have no truth values and no empty texts")
            .without(Ability.RETRIES_OFF_SOURCE, "what waits for a retry stays on its queue")
            .without(Ability.FILL_SOURCE, full)
            .without(Ability.FULL_DEAD_LETTER, full);
    abilities =
        fifo
            ? abilities.without(Ability.NATIVE_RETRY, "a delayed message holds its place")
            : abilities
                .without(Ability.ORDERED, "standard queues keep no order")
                .without(Ability.ORDERING_KEY, "standard queues keep no order")
                .without(Ability.ORDER_ON_RELEASE, "standard queues keep no order");
    if (server.canRestart()) {
      return abilities;
    }
    String reason = "the server is not the harness's to stop";
    return abilities
        .without(Ability.RESTART, reason)
        .without(Ability.STOP, reason)
        .without(Ability.FREEZE, reason);
  }

  @Override
  public Duration patience() {
    return Duration.ofSeconds(60);
  }

  /** ElasticMQ takes a minute for 10,000 on a busy machine, and more on a FIFO queue. */
  @Override
  public int many() {
    boolean shortRun = System.getProperty("acklast.excluded", "").contains("long");
    return shortRun ? 2_000 : BrokerHarness.super.many();
  }

  @Override
  public String queueName(String plain) {
    return fifo ? plain + ".fifo" : plain;
  }

  @Override
  public void createQueue(String queue) {
    admin.create(queue);
    queues.add(queue);
  }

  @Override
  public Source source(String queue) {
    return SqsOpener.configured(faults.client(), queue);
  }

  @Override
  public Source orderedSource(String queue) {
    return source(queue);
  }

  /** Nothing is ever extended. */
  @Override
  public Source shortLeaseSource(String queue) {
    SqsFaults unextended = new SqsFaults(proxied);
    unextended.at(
        "changeMessageVisibilityBatch",
        (request, call) -> {
          if (SqsFaults.batch(request).entries().stream()
              .anyMatch(entry -> entry.visibilityTimeout() > 0)) {
            throw ApiCallTimeoutException.create(1_000);
          }
          return call.get();
        });
    return SqsSource.queue(unextended.client(), queue)
        .visibilityTimeout(SHORT_LEASE)
        .longPoll(Duration.ofSeconds(1));
  }

  @Override
  public void publish(String queue, List<Envelope> messages) {
    admin.publish(queue, messages);
  }

  @Override
  public int ready(String queue) {
    return admin.ready(queue);
  }

  @Override
  public int unsettled(String queue) {
    return admin.unsettled(queue);
  }

  @Override
  public List<Envelope> deadLetters(String deadLetterQueue) {
    return admin.look(deadLetterQueue);
  }

  @Override
  public void redrive(String deadLetterQueue, String queue) {
    admin.move(deadLetterQueue, queue);
  }

  @Override
  public void breakDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    switch (fault) {
      case MISSING -> {
        faults.refuse("createQueue", "AccessDenied", 403);
        admin.delete(deadLetterQueue);
      }
      case REFUSING -> faults.refuse("sendMessage", "AccessDenied", 403);
      case UNREACHABLE ->
          faults.at(
              "sendMessage",
              (request, call) -> {
                throw ApiCallTimeoutException.create(4_000);
              });
      case FULL -> throw new UnsupportedOperationException("see abilities()");
    }
  }

  @Override
  public void mendDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    if (fault == DeadLetterFault.MISSING) {
      admin.create(deadLetterQueue);
    }
    mend();
  }

  private void mend() {
    faults.mend("createQueue");
    faults.mend("sendMessage");
  }

  @Override
  public void deleteQueue(String queue) {
    admin.delete(queue);
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public void start() {
    server.start();
  }

  /**
   * A lost connection takes no message away from its consumer: only the end of the lease does,
   * which consumers see a moment later.
   */
  @Override
  public void cutConnections() {
    proxy.blackhole(true);
    Awaitility.await("the end of all leases")
        .atMost(SqsOpener.VISIBILITY.multipliedBy(5))
        .during(Duration.ofSeconds(1))
        .until(() -> queues.stream().mapToInt(admin::unsettled).sum() == 0);
    proxy.cut();
    proxy.blackhole(false);
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
  public void network(NetworkState state) {
    proxy.blackhole(state == NetworkState.HALF_OPEN);
    proxy.latency(state == NetworkState.SLOW ? LATENCY : Duration.ZERO);
  }

  @Override
  public Class<? extends SourceOpener> opener() {
    return SqsOpener.class;
  }

  @Override
  public String uri() {
    return server.endpoint().toString();
  }

  @Override
  public void tidy() {
    mend();
    network(NetworkState.GOOD);
    queues.forEach(admin::delete);
    queues.clear();
  }

  @Override
  public void close() {
    proxied.close();
    proxy.close();
  }
}
