package dev.acklast.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** Kafka in a JVM of its own, on loopback: one broker that is its own controller. */
final class NativeKafka implements ServerEngine {
  private static final String CLASS_PATH = "kafka.classpath";
  private static final Duration FORMAT_LIMIT = Duration.ofMinutes(1);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final List<String> OPTIONS =
      List.of(
          "-Xmx384m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
          "-Dorg.slf4j.simpleLogger.showDateTime=true");

  private final ServerFolder folder = ServerFolder.create("kafka");
  private final String classPath = classPath();
  private final KafkaNode node;
  private @Nullable ChildProcess broker;

  private NativeKafka(KafkaNode node) {
    this.node = node;
  }

  /** A new, empty broker; not started yet. */
  static KafkaServer create(Map<String, String> settings) {
    int proxiedPort = FreePort.next();
    TcpProxy proxy = TcpProxy.to("127.0.0.1", proxiedPort);
    KafkaNode node = KafkaNode.onFreePorts(proxiedPort, proxy.port());
    NativeKafka engine = new NativeKafka(node);
    KafkaServer server =
        new KafkaServer(engine, node.bootstrap(), Optional.of(proxy), node.proxiedBootstrap());
    try {
      engine.format(settings);
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void format(Map<String, String> settings) {
    folder.write("server.properties", node.properties(folder.path().resolve("data"), settings));
    List<String> command = java("kafka.tools.StorageTool");
    command.addAll(List.of("format", "-t", Uuid.randomUuid().toString(), "-c", configuration()));
    ShellCommand.Result result = ShellCommand.run(FORMAT_LIMIT, command, environment());
    if (!result.succeeded()) {
      throw new IllegalStateException("Kafka's storage was not formatted:\n" + result.output());
    }
  }

  @Override
  public void start() {
    folder.markStart();
    List<String> command = java("kafka.Kafka");
    command.add(configuration());
    broker = ChildProcess.start(List.of(), command, environment(), folder.log());
  }

  private static List<String> java(String mainClass) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.add(mainClass);
    return command;
  }

  private String configuration() {
    return folder.path().resolve("server.properties").toString();
  }

  private Map<String, String> environment() {
    return Map.of("CLASSPATH", classPath, "LANG", "C.UTF-8");
  }

  /** The broker's libraries, as module servers-kafka wrote them down when it was built. */
  private static String classPath() {
    try (InputStream input = NativeKafka.class.getResourceAsStream(CLASS_PATH)) {
      if (input == null) {
        throw new IllegalStateException(
            "No Kafka on the class path: add acklast-servers-kafka, or name a broker in "
                + OwnServers.KAFKA_BOOTSTRAP);
      }
      return new String(input.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void stop() {
    ChildProcess running = broker;
    if (running == null) {
      return;
    }
    running.thaw();
    running.signal("TERM");
    if (!running.awaitExit(STOP_LIMIT)) {
      running.kill();
    }
  }

  @Override
  public void kill() {
    if (broker != null) {
      broker.kill();
    }
  }

  @Override
  public void freeze() {
    if (broker != null) {
      broker.freeze();
    }
  }

  @Override
  public void thaw() {
    if (broker != null) {
      broker.thaw();
    }
  }

  @Override
  public boolean canRestart() {
    return true;
  }

  @Override
  public boolean isRunning() {
    return broker != null && broker.isAlive();
  }

  @Override
  public String logTail() {
    return folder.logTail();
  }

  @Override
  public String description() {
    return "Kafka, native on " + node.bootstrap();
  }

  @Override
  public void close() {
    kill();
    folder.close();
  }
}
