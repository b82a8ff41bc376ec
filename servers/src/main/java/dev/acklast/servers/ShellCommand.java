package dev.acklast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs short commands to their end. */
final class ShellCommand {

  /** What a command printed, both streams, and how it ended. */
  record Result(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }
  }

  private ShellCommand() {}

  /** Runs a command with this process' environment; a missing program is exit code 127. */
  static Result run(Duration limit, List<String> command) {
    return run(limit, command, System.getenv());
  }

  /** Runs a command with exactly the given environment. */
  static Result run(Duration limit, List<String> command, Map<String, String> environment) {
    try {
      // A file, not a pipe: a grandchild that keeps the pipe open would keep us reading.
      Path output = Files.createTempFile("acklast-command", ".out");
      try {
        return run(limit, command, environment, output);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Result run(
      Duration limit, List<String> command, Map<String, String> environment, Path output)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return new Result(127, command.get(0) + " cannot be run: " + e.getMessage());
    }
    try {
      process.getOutputStream().close();
      boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      String text = Files.readString(output, StandardCharsets.UTF_8);
      return ended
          ? new Result(process.exitValue(), text)
          : new Result(124, text + "no end within " + limit.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while running " + command.get(0), e);
    } finally {
      process.destroyForcibly();
    }
  }
}
