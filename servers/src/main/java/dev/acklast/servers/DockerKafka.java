package dev.acklast.servers;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.testcontainers.kafka.KafkaContainer;

/** Kafka as a container. */
final class DockerKafka {
  private static final String IMAGE = "apache/kafka:4.4.0";
  private static final int CLIENTS = 9092;
  private static final int PROXIED = 19_092;

  private DockerKafka() {}

  /** A new, empty broker; not started yet. */
  static KafkaServer create(Map<String, String> settings) {
    int port = FreePort.next();
    int proxiedPort = FreePort.next();
    TcpProxy proxy = TcpProxy.to("127.0.0.1", proxiedPort);
    String proxied = "127.0.0.1:" + proxy.port();
    KafkaContainer container =
        new KafkaContainer(IMAGE).withListener("0.0.0.0:" + PROXIED, () -> proxied);
    container.addExposedPort(PROXIED);
    KafkaNode.brief().forEach((key, value) -> container.addEnv(variable(key), value));
    container.addEnv(variable("auto.create.topics.enable"), "false");
    settings.forEach((key, value) -> container.addEnv(variable(key), value));
    container.setPortBindings(
        List.of(DockerEngine.binding(port, CLIENTS), DockerEngine.binding(proxiedPort, PROXIED)));
    return new KafkaServer(
        new DockerEngine(container, "Kafka, container " + IMAGE + " on 127.0.0.1:" + port),
        "127.0.0.1:" + port,
        Optional.of(proxy),
        proxied);
  }

  /** How the image takes a setting of the broker. */
  private static String variable(String setting) {
    return "KAFKA_" + setting.toUpperCase(Locale.ROOT).replace('.', '_');
  }
}
