package dev.acklast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** RabbitMQ as a child process, on loopback: a node, a port mapper and a folder of its own. */
final class NativeRabbit implements BrokerEngine {
  static final String MEMORY_LIMIT = "1GB";
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final Duration TOOL_LIMIT = Duration.ofMinutes(1);

  private final RabbitInstallation installation;
  private final RabbitNode node = RabbitNode.onFreePorts();
  private final ServerFolder folder;
  private final Map<String, String> environment;
  private @Nullable ChildProcess portMapper;
  private @Nullable ChildProcess broker;

  private NativeRabbit(RabbitInstallation installation) {
    this.installation = installation;
    this.folder = ServerFolder.create("rabbitmq");
    this.environment = node.environment(folder);
  }

  /** A new, empty broker; not started yet. */
  static RabbitServer create(RabbitOptions options) {
    NativeRabbit engine = new NativeRabbit(RabbitInstallation.find());
    String user = "acklast";
    String password = Passwords.random();
    engine.folder.write("enabled_plugins", "[rabbitmq_management].\n");
    engine.folder.write("rabbitmq.conf", engine.node.configuration(user, password, options));
    setReadOnly(engine.folder.write(".erlang.cookie", Passwords.random()));
    RabbitNode node = engine.node;
    return new RabbitServer(
        engine,
        new RabbitEndpoint("amqp", "127.0.0.1", node.amqpPort(), user, password, "/"),
        new ManagementApi("http://127.0.0.1:" + node.managementPort(), user, password));
  }

  @Override
  public void start() {
    folder.markStart();
    startPortMapper();
    List<String> command = List.of(installation.server(), "-start_epmd", "false");
    broker = ChildProcess.start(List.of(), command, environment, folder.log());
  }

  /** Erlang's epmd, which the node registers with; it survives the node's restarts. */
  private void startPortMapper() {
    if (portMapper != null && portMapper.isAlive()) {
      return;
    }
    List<String> command =
        List.of("epmd", "-port", Integer.toString(node.epmdPort()), "-address", "127.0.0.1");
    portMapper =
        ChildProcess.start(List.of(), command, environment, folder.path().resolve("epmd.log"));
  }

  @Override
  public String rabbitmqctl(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(installation.rabbitmqctl());
    command.addAll(arguments);
    ShellCommand.Result result = ShellCommand.run(TOOL_LIMIT, command, environment);
    if (!result.succeeded()) {
      throw new IllegalStateException(
          "rabbitmqctl " + arguments.get(0) + " failed:\n" + result.output());
    }
    return result.output();
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
    return "RabbitMQ, native on 127.0.0.1:" + node.amqpPort();
  }

  @Override
  public void close() {
    kill();
    if (portMapper != null) {
      portMapper.kill();
    }
    folder.close();
  }

  private static void setReadOnly(Path file) {
    try {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
