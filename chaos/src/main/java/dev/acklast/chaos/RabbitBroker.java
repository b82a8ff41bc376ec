package dev.acklast.chaos;

import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.servers.QueueState;
import dev.acklast.servers.RabbitOptions;
import dev.acklast.servers.RabbitServer;
import dev.acklast.servers.Servers;
import dev.acklast.servers.TcpProxy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** RabbitMQ with a classic or a quorum queue as the source. */
final class RabbitBroker implements Broker {
  private static final String DELAY = ".acklast.retry.";

  private final RabbitServer server;
  private final RabbitTopology topology;
  private final TcpProxy producerLink;
  private final List<TcpProxy> workerLinks = new ArrayList<>();

  private RabbitBroker(RabbitServer server, String type) {
    this.server = server;
    this.topology = new RabbitTopology(server.connectionFactory(), type);
    this.producerLink = TcpProxy.to(server.host(), server.port());
    for (int worker = 0; worker < Crew.MOST; worker++) {
      workerLinks.add(TcpProxy.to(server.host(), server.port()));
    }
  }

  static RabbitBroker start(String type) {
    RabbitServer server = Servers.rabbit(RabbitOptions.defaults());
    RabbitBroker broker = new RabbitBroker(server, type);
    try {
      broker.topology.declare();
      return broker;
    } catch (IOException | TimeoutException | InterruptedException e) {
      broker.close();
      throw new IllegalStateException("The queues could not be declared", e);
    }
  }

  RabbitServer server() {
    return server;
  }

  RabbitTopology topology() {
    return topology;
  }

  @Override
  public String describe() {
    return server + ", " + topology.type() + " queue";
  }

  @Override
  public Map<String, String> addresses(int worker) {
    return Map.of(RabbitSources.URI, workerLinks.get(worker).through(server.amqpUri()));
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
  public Outlet outlet() throws IOException, TimeoutException {
    ConnectionFactory factory = server.connectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(producerLink.port());
    return RabbitOutlet.open(factory);
  }

  @Override
  public List<Letter> letters() throws IOException, TimeoutException, InterruptedException {
    return topology.call(channel -> RabbitLetters.look(channel, RabbitTopology.DEAD_QUEUE));
  }

  @Override
  public Residue residue() {
    long ready = 0;
    long unsettled = 0;
    long delayed = 0;
    for (QueueState queue : server.mainVirtualHost().queues()) {
      if (queue.name().equals(RabbitTopology.SOURCE)) {
        ready += queue.ready();
        unsettled += queue.unacked();
      } else if (queue.name().contains(DELAY)) {
        delayed += queue.total();
      }
    }
    return new Residue(ready, unsettled, delayed);
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
    server.close();
  }
}
