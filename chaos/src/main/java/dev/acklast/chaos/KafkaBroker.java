package dev.acklast.chaos;

import dev.acklast.kafka.KafkaSource;
import dev.acklast.servers.KafkaServer;
import dev.acklast.servers.Servers;
import dev.acklast.servers.TcpProxy;
import dev.acklast.spi.Source;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Kafka with a topic that a consumer group or a share group reads. All clients come by one proxy:
 * the broker tells them where it is, and can tell only one address.
 */
final class KafkaBroker implements Broker {
  static final String SOURCE = "work";
  private static final String DEAD = "work.dlq";
  private static final String GROUP = "workers";
  private static final int PARTITIONS = 6;
  private static final int USUAL_BYTES = 1 << 20;

  private static final String BOOTSTRAP = "CHAOS_KAFKA";

  private final KafkaServer server;
  private final boolean share;
  private final KafkaAdmin admin;
  private final TcpProxy link;

  private KafkaBroker(KafkaServer server, boolean share) {
    this.server = server;
    this.share = share;
    this.admin = new KafkaAdmin(server);
    this.link = server.proxy().orElseThrow();
  }

  static KafkaBroker start(boolean share) {
    KafkaBroker broker = new KafkaBroker(Servers.kafka(), share);
    broker.admin.create(SOURCE, PARTITIONS);
    broker.admin.create(DEAD, 1);
    return broker;
  }

  static Source groupSource(Map<String, String> environment) {
    return topics(environment).group(GROUP);
  }

  static Source shareSource(Map<String, String> environment) {
    return topics(environment).shareGroup(GROUP);
  }

  private static KafkaSource topics(Map<String, String> environment) {
    Map<String, Object> client =
        Map.of(
            "bootstrap.servers", Objects.requireNonNull(environment.get(BOOTSTRAP), BOOTSTRAP),
            "request.timeout.ms", 4_000,
            "session.timeout.ms", 6_000,
            "heartbeat.interval.ms", 1_000,
            "reconnect.backoff.max.ms", 500);
    return KafkaSource.topics(client, SOURCE);
  }

  /** Makes the dead-letter topic refuse everything, or take it again. */
  void refuseLetters(boolean on) {
    admin.limit(DEAD, on ? 1 : USUAL_BYTES);
  }

  @Override
  public String describe() {
    return server + (share ? ", share group" : ", consumer group");
  }

  @Override
  public Map<String, String> addresses(int worker) {
    return Map.of(BOOTSTRAP, server.proxiedBootstrap());
  }

  @Override
  public List<TcpProxy> workerLinks() {
    return List.of(link);
  }

  @Override
  public TcpProxy producerLink() {
    return link;
  }

  @Override
  public Outlet outlet() {
    return new KafkaOutlet(server.proxiedBootstrap());
  }

  @Override
  public List<Letter> letters() throws IOException {
    return admin.letters(DEAD);
  }

  /** Who has which of the records, the broker does not tell. */
  @Override
  public Residue residue() {
    long left =
        share
            ? admin.shareLag(GROUP, SOURCE, PARTITIONS)
            : admin.groupLag(GROUP, SOURCE, PARTITIONS);
    return new Residue(left, 0, 0);
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
    admin.close();
    server.close();
  }
}
