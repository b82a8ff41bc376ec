package dev.acklast.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A long-running child that never outlives this JVM.
 *
 * <p>A shutdown hook kills the children of a JVM that ends in order. Where Linux has {@code
 * setpriv}, the kernel kills them when the JVM is killed, too. The kernel ties that to the
 * <em>thread</em> that started the child, so all are started by one thread that never ends.
 */
final class ChildProcess {
  private static final ExecutorService LAUNCHER =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "acklast-server-launcher");
            thread.setDaemon(true);
            return thread;
          });
  private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();
  private static final List<String> DIES_WITH_US = deathSignalPrefix();

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> LIVE.forEach(ChildProcess::killTree), "acklast-server-reaper"));
  }

  private final Process process;
  private @Nullable Process guard;

  private ChildProcess(Process process) {
    this.process = process;
    LIVE.removeIf(earlier -> !earlier.isAlive());
    LIVE.add(process);
  }

  /**
   * Starts a child with exactly the given environment.
   *
   * @param wrapper a command that changes the child's rights and then runs it, or an empty list
   * @param log both its streams are appended here
   */
  static ChildProcess start(
      List<String> wrapper, List<String> command, Map<String, String> environment, Path log) {
    // The death signal comes last: the kernel forgets it where a process changes its user.
    List<String> line = new ArrayList<>(wrapper);
    line.addAll(DIES_WITH_US);
    line.addAll(command);
    File file = log.toFile();
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(file))
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .directory(file.getParentFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return new ChildProcess(launch(builder));
  }

  private static Process launch(ProcessBuilder builder) {
    try {
      return LAUNCHER.submit(builder::start).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while starting a server", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw new UncheckedIOException(cause);
      }
      throw new IllegalStateException("A server could not be started", e.getCause());
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** How it ended; only for one that is dead. */
  int exitCode() {
    return process.exitValue();
  }

  /** Sends a signal by its name, such as {@code STOP}, to this process alone. */
  void signal(String name) {
    signal(name, process.toHandle());
  }

  /** Kills this process and then its descendants, frozen ones included. */
  synchronized void kill() {
    killTree(process);
    awaitExit(Duration.ofSeconds(10));
    dismissGuard();
  }

  /** Suspends this process first, so that it starts no more children, then its descendants. */
  synchronized void freeze() {
    signal("STOP");
    List<ProcessHandle> descendants = process.descendants().toList();
    descendants.forEach(child -> signal("STOP", child));
    if (guard == null) {
      guard = guardOf(descendants);
    }
  }

  /** Undoes {@link #freeze()}. */
  synchronized void thaw() {
    process.descendants().forEach(child -> signal("CONT", child));
    signal("CONT");
    dismissGuard();
  }

  private void dismissGuard() {
    if (guard != null) {
      guard.destroyForcibly();
      guard = null;
    }
  }

  /**
   * Frozen grandchildren cannot see that their parent was killed along with this JVM. The guard
   * reads from a pipe that ends with this JVM, and then kills them.
   */
  private static Process guardOf(List<ProcessHandle> frozen) {
    StringBuilder script = new StringBuilder("read end; kill -KILL");
    frozen.forEach(handle -> script.append(' ').append(handle.pid()));
    return launch(new ProcessBuilder("sh", "-c", script.toString()));
  }

  /** Waits for the end of this process; false if it still lives after the limit. */
  boolean awaitExit(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void killTree(Process process) {
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
    awaitDead(descendants);
  }

  /**
   * Waits until killed descendants are dead: PostgreSQL refuses to start while one of the old
   * backends is attached to its shared memory. They may stay zombies for long where nobody reaps
   * them, and zombies count as alive for the JDK.
   */
  private static void awaitDead(List<ProcessHandle> killed) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    for (ProcessHandle handle : killed) {
      while (handle.isAlive() && !isZombie(handle) && System.nanoTime() < deadline) {
        Pause.ofMillis(5);
      }
    }
  }

  private static boolean isZombie(ProcessHandle handle) {
    try {
      String status = Files.readString(Path.of("/proc/" + handle.pid() + "/stat"));
      return status.startsWith("Z", status.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return false; // no Linux, or gone
    }
  }

  private static void signal(String name, ProcessHandle handle) {
    ShellCommand.Result result =
        ShellCommand.run(
            Duration.ofSeconds(5), List.of("kill", "-" + name, Long.toString(handle.pid())));
    if (!result.succeeded() && handle.isAlive()) {
      throw new IllegalStateException("kill -" + name + " failed: " + result.output());
    }
  }

  private static List<String> deathSignalPrefix() {
    List<String> prefix = List.of("setpriv", "--pdeathsig", "KILL");
    List<String> probe = new ArrayList<>(prefix);
    probe.add("true");
    return ShellCommand.run(Duration.ofSeconds(5), probe).succeeded() ? prefix : List.of();
  }
}
