package dev.acklast.runner;

import ch.qos.logback.classic.Level;
import picocli.CommandLine.Option;

/** How much is told. */
final class LogOptions {
  @Option(
      names = {"-v", "--verbose"},
      description = "Tell of every step.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "Tell of warnings and errors only.")
  private boolean quiet;

  Level level() {
    if (verbose) {
      return Level.DEBUG;
    }
    return quiet ? Level.WARN : Level.INFO;
  }

  boolean isQuiet() {
    return quiet;
  }
}
