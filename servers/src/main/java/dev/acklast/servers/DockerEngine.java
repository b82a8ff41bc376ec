package dev.acklast.servers;

import com.github.dockerjava.api.DockerClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;

/**
 * A container that keeps its ports and data over stops and kills: it is the same container, bound
 * to fixed ports of the host's loopback address.
 */
final class DockerEngine implements BrokerEngine {
  private static final int STOP_SECONDS = 30;
  private static final int TAIL_LINES = 30;

  private final GenericContainer<?> container;
  private final String description;

  DockerEngine(GenericContainer<?> container, String description) {
    this.container = container;
    this.description = description;
  }

  /** A port binding of the host's loopback address. */
  static String binding(int hostPort, int containerPort) {
    return "127.0.0.1:" + hostPort + ":" + containerPort;
  }

  @Override
  public void start() {
    if (container.getContainerId() == null) {
      container.start();
    } else {
      client().startContainerCmd(container.getContainerId()).exec();
    }
  }

  @Override
  public void stop() {
    client().stopContainerCmd(container.getContainerId()).withTimeout(STOP_SECONDS).exec();
  }

  @Override
  public void kill() {
    client().killContainerCmd(container.getContainerId()).withSignal("SIGKILL").exec();
    Pause.until(() -> !container.isRunning(), Duration.ofSeconds(STOP_SECONDS));
  }

  @Override
  public void freeze() {
    client().pauseContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public void thaw() {
    client().unpauseContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public String rabbitmqctl(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("rabbitmqctl"));
    command.addAll(arguments);
    try {
      ExecResult result = container.execInContainer(command.toArray(String[]::new));
      if (result.getExitCode() != 0) {
        throw new IllegalStateException(
            "rabbitmqctl " + arguments.get(0) + " failed:\n" + result.getStderr());
      }
      return result.getStdout();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while running rabbitmqctl", e);
    }
  }

  @Override
  public boolean canRestart() {
    return true;
  }

  @Override
  public boolean isRunning() {
    return container.getContainerId() != null && container.isRunning();
  }

  @Override
  public String logTail() {
    if (container.getContainerId() == null) {
      return "";
    }
    List<String> lines = container.getLogs().lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public void close() {
    container.stop(); // Testcontainers' word for removing it
  }

  private DockerClient client() {
    return container.getDockerClient();
  }
}
