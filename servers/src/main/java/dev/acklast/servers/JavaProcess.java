package dev.acklast.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A program in a JVM of its own that demonstrations kill: it has the class path of this JVM, and
 * ends with it, also when it is killed (on Linux). Thread-safe.
 */
public final class JavaProcess {
  private final ChildProcess child;

  private JavaProcess(ChildProcess child) {
    this.child = child;
  }

  /**
   * What to run.
   *
   * @param mainClass the full name of a class on this JVM's class path
   * @param arguments for its {@code main}
   * @param environment variables beside those of this JVM: the place for addresses with
   *     credentials, since everybody may see a command line
   * @param options for the JVM, such as {@code -Xmx128m}
   */
  public record Program(
      String mainClass,
      List<String> arguments,
      Map<String, String> environment,
      List<String> options) {
    /** Copies the lists. */
    public Program {
      arguments = List.copyOf(arguments);
      environment = Map.copyOf(environment);
      options = List.copyOf(options);
    }
  }

  /**
   * Starts a program.
   *
   * @param log both its streams are appended to this file; its folder is the working directory
   * @throws java.io.UncheckedIOException if no process can be started
   */
  public static JavaProcess start(Program program, Path log) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(program.options());
    command.add(program.mainClass());
    command.addAll(program.arguments());
    Map<String, String> environment = new LinkedHashMap<>(System.getenv());
    environment.put("CLASSPATH", System.getProperty("java.class.path"));
    environment.putAll(program.environment());
    return new JavaProcess(
        ChildProcess.start(List.of(), command, environment, log.toAbsolutePath()));
  }

  /** Its process id. */
  public long pid() {
    return child.pid();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return child.isAlive();
  }

  /** Ends it at once, as kill -9 does. */
  public void kill() {
    child.kill();
  }

  /** Suspends it (SIGSTOP): its connections stay open, and it does nothing. */
  public void freeze() {
    if (child.isAlive()) {
      child.freeze();
    }
  }

  /** Lets it go on after {@link #freeze()} (SIGCONT). */
  public void thaw() {
    if (child.isAlive()) {
      child.thaw();
    }
  }

  /** Asks it to end (SIGTERM). */
  public void terminate() {
    if (child.isAlive()) {
      child.signal("TERM");
    }
  }

  /** Waits for its end; false if it still runs after the limit. */
  public boolean awaitExit(Duration limit) {
    return child.awaitExit(limit);
  }

  /**
   * Its exit code; 128 plus the signal's number if a signal ended it.
   *
   * @throws IllegalThreadStateException if it still runs
   */
  public int exitCode() {
    return child.exitCode();
  }
}
