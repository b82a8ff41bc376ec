package dev.acklast.runner;

import java.io.PrintStream;

/**
 * Standard error, shared by log lines and, on a terminal, by one status line below them that is
 * written over and over. Thread-safe.
 */
final class Terminal {
  private static final String CLEAR_LINE = "\r\u001B[K";

  private final PrintStream out;
  private final boolean interactive;
  private String status = "";

  Terminal(PrintStream out, boolean interactive) {
    this.out = out;
    this.interactive = interactive;
  }

  /** The process's own; whether that is a terminal, {@code bin/acklast} tells. */
  static Terminal ofProcess() {
    return new Terminal(System.err, Boolean.getBoolean("acklast.terminal"));
  }

  boolean isInteractive() {
    return interactive;
  }

  /** Writes lines above the status. */
  synchronized void print(String lines) {
    if (status.isEmpty()) {
      out.print(lines);
    } else {
      out.print(CLEAR_LINE + lines + status);
    }
    out.flush();
  }

  /** Replaces the status line; an empty one takes it away. */
  synchronized void status(String line) {
    if (interactive && !line.equals(status)) {
      out.print(CLEAR_LINE + line);
      out.flush();
      status = line;
    }
  }
}
