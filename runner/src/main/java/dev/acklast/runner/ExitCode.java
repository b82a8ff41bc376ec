package dev.acklast.runner;

/** What the command's exit codes mean. */
final class ExitCode {
  /** Done; or stopped by a signal, with everything settled. */
  static final int OK = 0;

  /** Something failed while it ran. */
  static final int FAILED = 1;

  /** The command line or the configuration cannot be used; nothing was consumed. */
  static final int REFUSED = 2;

  /** Stopped by a signal, and the drain's time ran out: unfinished work will be delivered again. */
  static final int CUT_SHORT = 3;

  private ExitCode() {}
}
