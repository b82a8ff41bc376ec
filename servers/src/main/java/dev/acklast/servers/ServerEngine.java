package dev.acklast.servers;

/**
 * Where one server runs: a process of this machine, a container, or a server that is the user's.
 *
 * <p>{@link #start()} launches and returns; whether the server answers is the caller's to find out.
 * Implementations are used by one thread at a time: {@link Server} sees to it.
 */
interface ServerEngine extends AutoCloseable {

  /** Launches the server on the port and the data that it had before, if any. */
  void start();

  /** Ends the server in an orderly way and returns when it is gone. */
  void stop();

  /** Ends the server at once, without any chance to tidy up ({@code SIGKILL}). */
  void kill();

  /** Suspends the server: its connections stay open, but nothing answers. */
  void freeze();

  /** Lets a frozen server go on. */
  void thaw();

  /** Whether start, stop, kill, freeze and thaw are available. */
  boolean canRestart();

  /** Whether the process or container exists, answering or not. */
  boolean isRunning();

  /** The last lines of the server's log, empty where it is not known. */
  String logTail();

  /** One phrase about what runs and where, without credentials. */
  String description();

  /** Ends the server and deletes its data. Does nothing to the user's own. */
  @Override
  void close();
}
