package dev.acklast.servers;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The addresses of one private Kafka broker, which is its own controller, and its configuration.
 *
 * @param proxiedPort where the broker listens for clients that come through a proxy
 * @param advertisedPort that proxy's port, which those clients are told to use
 */
record KafkaNode(int port, int controllerPort, int proxiedPort, int advertisedPort) {

  /** On free ports of 127.0.0.1, with a place for a proxy. */
  static KafkaNode onFreePorts(int proxiedPort, int advertisedPort) {
    return new KafkaNode(FreePort.next(), FreePort.next(), proxiedPort, advertisedPort);
  }

  String bootstrap() {
    return "127.0.0.1:" + port;
  }

  String proxiedBootstrap() {
    return "127.0.0.1:" + advertisedPort;
  }

  /** {@code server.properties}; the caller's settings come last and so win. */
  String properties(Path data, Map<String, String> settings) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("process.roles", "broker,controller");
    lines.put("node.id", "1");
    lines.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    lines.put("controller.listener.names", "CONTROLLER");
    lines.put("inter.broker.listener.name", "PLAINTEXT");
    lines.put(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT");
    lines.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,PROXIED://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(port, proxiedPort, controllerPort));
    lines.put(
        "advertised.listeners",
        "PLAINTEXT://127.0.0.1:%d,PROXIED://127.0.0.1:%d".formatted(port, advertisedPort));
    lines.put("log.dirs", data.toString());
    lines.putAll(single());
    lines.putAll(brief());
    lines.putAll(settings);
    StringBuilder text = new StringBuilder();
    lines.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    return text.toString();
  }

  /** What a cluster of one broker needs. */
  private static Map<String, String> single() {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("offsets.topic.replication.factor", "1");
    lines.put("offsets.topic.num.partitions", "4");
    lines.put("transaction.state.log.replication.factor", "1");
    lines.put("transaction.state.log.min.isr", "1");
    lines.put("transaction.state.log.num.partitions", "4");
    lines.put("share.coordinator.state.topic.replication.factor", "1");
    lines.put("share.coordinator.state.topic.min.isr", "1");
    lines.put("share.coordinator.state.topic.num.partitions", "4");
    lines.put("auto.create.topics.enable", "false");
    lines.put("controlled.shutdown.enable", "false");
    // Without these two a restart after a kill takes 13 s instead of 5.
    lines.put("broker.session.timeout.ms", "2000");
    lines.put("broker.heartbeat.interval.ms", "500");
    return lines;
  }

  /** Times for tests: what a dead consumer held moves on within seconds. */
  static Map<String, String> brief() {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("group.initial.rebalance.delay.ms", "0");
    lines.put("group.min.session.timeout.ms", "1000");
    lines.put("group.consumer.min.session.timeout.ms", "1000");
    lines.put("group.consumer.session.timeout.ms", "3000");
    lines.put("group.consumer.min.heartbeat.interval.ms", "100");
    lines.put("group.consumer.heartbeat.interval.ms", "500");
    lines.put("group.share.min.session.timeout.ms", "1000");
    lines.put("group.share.session.timeout.ms", "3000");
    lines.put("group.share.min.heartbeat.interval.ms", "100");
    lines.put("group.share.heartbeat.interval.ms", "500");
    lines.put("group.share.min.record.lock.duration.ms", "1000");
    lines.put("group.share.record.lock.duration.ms", "5000");
    lines.put("group.share.delivery.count.limit", "10");
    lines.put("group.share.max.delivery.count.limit", "25"); // of a group that asks for it
    lines.put("group.share.assignment.interval.ms", "0");
    lines.put("group.consumer.assignment.interval.ms", "0");
    return lines;
  }
}
