package dev.acklast.servers;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server that is one child process with a folder of its own. */
final class NativeEngine implements ServerEngine {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

  private final String description;
  private final ServerFolder folder;
  private final Supplier<ChildProcess> launch;
  private final String stopSignal;
  private @Nullable ChildProcess process;

  /**
   * An engine; it starts nothing yet.
   *
   * @param description one phrase about what runs and where, without credentials
   * @param folder holds data and log; deleted with this
   * @param launch starts the process, each time on the same port and data
   * @param stopSignal what asks the process to end in order: {@code TERM}
   */
  NativeEngine(
      String description, ServerFolder folder, Supplier<ChildProcess> launch, String stopSignal) {
    this.description = description;
    this.folder = folder;
    this.launch = launch;
    this.stopSignal = stopSignal;
  }

  @Override
  public void start() {
    folder.markStart();
    process = launch.get();
  }

  @Override
  public void stop() {
    ChildProcess running = process;
    if (running == null) {
      return;
    }
    running.thaw();
    running.signal(stopSignal);
    if (!running.awaitExit(STOP_LIMIT)) {
      running.kill();
    }
  }

  @Override
  public void kill() {
    if (process != null) {
      process.kill();
    }
  }

  @Override
  public void freeze() {
    if (process != null) {
      process.freeze();
    }
  }

  @Override
  public void thaw() {
    if (process != null) {
      process.thaw();
    }
  }

  @Override
  public boolean canRestart() {
    return true;
  }

  @Override
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  @Override
  public String logTail() {
    return folder.logTail();
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public void close() {
    kill();
    folder.close();
  }
}
