package dev.acklast.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/** Kafka in a JVM of its own, on loopback: one broker that is its own controller. */
final class NativeKafka {
  private static final Duration FORMAT_LIMIT = Duration.ofMinutes(1);
  private static final Map<String, String> ENVIRONMENT = Map.of("LANG", "C.UTF-8");
  private static final List<String> OPTIONS =
      List.of(
          "-Xmx384m",
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
          "-Dorg.slf4j.simpleLogger.showDateTime=true");

  private NativeKafka() {}

  /** A new, empty broker; not started yet. */
  static KafkaServer create(Map<String, String> settings) {
    JavaLibraries libraries = JavaLibraries.of("kafka");
    ServerFolder folder = ServerFolder.create("kafka");
    int proxiedPort = FreePort.next();
    TcpProxy proxy = TcpProxy.to("127.0.0.1", proxiedPort);
    KafkaNode node = KafkaNode.onFreePorts(proxiedPort, proxy.port());
    Path configuration =
        folder.write("server.properties", node.properties(folder.path().resolve("data"), settings));
    List<String> command = libraries.command(OPTIONS, "kafka.Kafka", configuration.toString());
    NativeEngine engine =
        new NativeEngine(
            "Kafka, native on " + node.bootstrap(),
            folder,
            () -> ChildProcess.start(List.of(), command, ENVIRONMENT, folder.log()),
            "TERM");
    KafkaServer server =
        new KafkaServer(engine, node.bootstrap(), Optional.of(proxy), node.proxiedBootstrap());
    try {
      format(libraries, configuration);
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static void format(JavaLibraries libraries, Path configuration) {
    List<String> command =
        libraries.command(
            OPTIONS,
            "kafka.tools.StorageTool",
            "format",
            "-t",
            Uuid.randomUuid().toString(),
            "-c",
            configuration.toString());
    ShellCommand.Result result = ShellCommand.run(FORMAT_LIMIT, command, ENVIRONMENT);
    if (!result.succeeded()) {
      throw new IllegalStateException("Kafka's storage was not formatted:\n" + result.output());
    }
  }
}
