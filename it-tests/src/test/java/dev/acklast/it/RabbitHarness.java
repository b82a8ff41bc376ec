package dev.acklast.it;

import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.rabbitmq.RabbitSource;
import dev.acklast.servers.RabbitServer;
import dev.acklast.servers.Servers;
import dev.acklast.servers.TcpProxy;
import dev.acklast.servers.VirtualHost;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import dev.acklast.testkit.contract.Abilities;
import dev.acklast.testkit.contract.Ability;
import dev.acklast.testkit.contract.BrokerHarness;
import dev.acklast.testkit.contract.DeadLetterFault;
import dev.acklast.testkit.contract.NetworkState;
import dev.acklast.testkit.contract.SourceOpener;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Binds the contract to queues of one type on this JVM's RabbitMQ, in a virtual host of their own.
 * Consumers come through a proxy, which breaks their connections; the case's own calls do not.
 */
public final class RabbitHarness implements BrokerHarness {
  private static final int HEARTBEAT_SECONDS = 2;
  private static final Duration LATENCY = Duration.ofMillis(30);

  private final String type;
  private final RabbitServer server = Servers.sharedRabbit();
  private final VirtualHost host = server.virtualHost(Servers.uniqueName("contract"));
  private final TcpProxy proxy = TcpProxy.to(server.host(), server.port());
  private final RabbitAdmin admin = new RabbitAdmin(host);
  private final String user = Servers.uniqueName("consumer");
  private boolean alarmed;

  /**
   * A harness.
   *
   * @param type {@code classic} or {@code quorum}
   */
  public RabbitHarness(String type) {
    this.type = type;
    mayConfigure(".*");
  }

  /** Consumers are somebody who may not create what a case has taken away. */
  private void mayConfigure(String pattern) {
    host.createUser(user, "consumer", pattern, ".*", ".*");
  }

  private void mayNotConfigure(String queue) {
    mayConfigure("^(?!" + queue + ").*");
  }

  @Override
  public String kind() {
    return "rabbitmq " + type;
  }

  @Override
  public Abilities abilities() {
    Abilities abilities =
        Abilities.all()
            .without(Ability.ORDERING_KEY, "AMQP messages have none")
            .without(Ability.SHORT_LEASE, "consumer_timeout is one for the whole broker")
            .without(
                Ability.REFUSING_DEAD_LETTER,
                "a channel keeps the permissions it began with; a full queue refuses too");
    if (server.canRestart()) {
      return abilities;
    }
    String reason = "the broker is not the harness's to stop";
    return abilities
        .without(Ability.RESTART, reason)
        .without(Ability.STOP, reason)
        .without(Ability.FREEZE, reason)
        .without(Ability.UNREACHABLE_DEAD_LETTER, reason);
  }

  @Override
  public Duration patience() {
    return Duration.ofSeconds(60);
  }

  @Override
  public void createQueue(String queue) {
    admin.declare(queue, type);
  }

  @Override
  public Source source(String queue) {
    return RabbitSource.queue(consumers(), queue);
  }

  @Override
  public Source orderedSource(String queue) {
    return RabbitSource.queue(consumers(), queue).exclusive();
  }

  private ConnectionFactory consumers() {
    ConnectionFactory factory = host.connectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(proxy.port());
    factory.setUsername(user);
    factory.setPassword("consumer");
    factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    return factory;
  }

  @Override
  public void publish(String queue, List<Envelope> messages) {
    admin.publish(queue, messages);
  }

  @Override
  public int ready(String queue) {
    return host.findQueue(queue).map(state -> (int) state.ready()).orElse(0);
  }

  @Override
  public int unsettled(String queue) {
    return host.findQueue(queue).map(state -> (int) state.unacked()).orElse(0);
  }

  @Override
  public int left(String queue) {
    return host.findQueue(queue).map(state -> (int) state.total()).orElse(0);
  }

  @Override
  public List<Envelope> deadLetters(String deadLetterQueue) {
    return host.findQueue(deadLetterQueue).isPresent() ? admin.look(deadLetterQueue) : List.of();
  }

  @Override
  public void redrive(String deadLetterQueue, String queue) {
    admin.move(deadLetterQueue, queue);
  }

  @Override
  public void breakDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    switch (fault) {
      case MISSING -> {
        mayNotConfigure(deadLetterQueue);
        admin.delete(deadLetterQueue);
      }
      case FULL -> {
        // A limit by policy comes into force some time later, and a quorum queue's is a rough one.
        mayNotConfigure(deadLetterQueue); // nor create it between these two
        admin.delete(deadLetterQueue);
        admin.declareFull(deadLetterQueue);
      }
      case UNREACHABLE -> {
        alarmed = true;
        server.memoryAlarm(true);
      }
      case REFUSING -> throw new UnsupportedOperationException("see abilities()");
    }
  }

  @Override
  public void mendDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    switch (fault) {
      case MISSING -> {
        admin.declare(deadLetterQueue, type);
        mayConfigure(".*");
      }
      case FULL -> {
        admin.delete(deadLetterQueue);
        admin.declare(deadLetterQueue, type);
        mayConfigure(".*");
      }
      case UNREACHABLE -> endAlarm();
      case REFUSING -> throw new UnsupportedOperationException("see abilities()");
    }
  }

  private void endAlarm() {
    if (alarmed) {
      server.memoryAlarm(false);
      alarmed = false;
    }
  }

  @Override
  public void deleteQueue(String queue) {
    admin.delete(queue);
  }

  @Override
  public void full(String queue, boolean full) {
    String policy = "full-" + queue;
    if (full) {
      Map<String, Object> limit = Map.of("max-length", 0, "overflow", "reject-publish");
      host.setPolicy(policy, "^" + queue + "$", limit, "queues");
    } else {
      host.deletePolicy(policy);
    }
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

  @Override
  public void cutConnections() {
    proxy.cut();
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
    return RabbitOpener.class;
  }

  @Override
  public String uri() {
    return host.amqpUri();
  }

  @Override
  public void tidy() {
    endAlarm();
    mayConfigure(".*");
    network(NetworkState.GOOD);
  }
}
