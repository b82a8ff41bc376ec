package dev.acklast.chaos;

import dev.acklast.servers.JavaProcess;
import dev.acklast.servers.WrongClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The workers. One that ends although it is wanted, killed by a message say, is started again.
 * Thread-safe.
 */
final class Crew implements AutoCloseable {
  /** Most workers at once; they are numbered from 0. */
  static final int MOST = 3;

  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(45);
  private static final Duration YOUNG = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 200;

  /** Exit codes: 128 and the signal's number. */
  private static final int KILLED = 137;

  private static final int TERMINATED = 143;

  private final IntFunction<JavaProcess.Program> programs;
  private final Path folder;
  private final @Nullable JavaProcess[] processes = new @Nullable JavaProcess[MOST];
  private final boolean[] wanted = new boolean[MOST];
  private final long[] startedAt = new long[MOST];
  private final List<Finding> faults = new ArrayList<>();
  private final Thread supervisor = new Thread(this::supervise, "chaos-supervisor");
  private int deaths;

  /**
   * @param programs what to run, by number
   * @param folder of the logs
   */
  Crew(IntFunction<JavaProcess.Program> programs, Path folder) {
    this.programs = programs;
    this.folder = folder;
    supervisor.setDaemon(true);
  }

  void start() {
    supervisor.start();
  }

  /** Has this one run, now and whenever it ends by itself. */
  synchronized void want(int worker) {
    wanted[worker] = true;
    startIfDead(worker);
  }

  /** Ends this one as kill -9 does; if it is wanted, another takes its place. */
  synchronized void kill(int worker) {
    JavaProcess process = processes[worker];
    if (process != null) {
      process.kill();
    }
  }

  /** Ends this one for good as kill -9 does. */
  synchronized void dismissAtOnce(int worker) {
    wanted[worker] = false;
    kill(worker);
  }

  /** Has this one drain and end, for good; does not wait for it. */
  synchronized void dismiss(int worker) {
    wanted[worker] = false;
    JavaProcess process = processes[worker];
    if (process != null) {
      process.thaw();
      process.terminate();
    }
  }

  /** Suspends one. */
  synchronized void freeze(int worker) {
    JavaProcess process = processes[worker];
    if (process != null) {
      process.freeze();
    }
  }

  /** Lets a suspended one go on. */
  synchronized void thaw(int worker) {
    JavaProcess process = processes[worker];
    if (process != null) {
      process.thaw();
    }
  }

  /** How many run. */
  synchronized int alive() {
    return (int)
        Arrays.stream(processes).filter(process -> process != null && process.isAlive()).count();
  }

  /** How many ended although they were wanted. */
  synchronized int deaths() {
    return deaths;
  }

  /** Waits for one that was dismissed; kills it, and notes that, if it does not end in time. */
  void awaitEnd(int worker) {
    JavaProcess process;
    synchronized (this) {
      process = processes[worker];
    }
    if (process == null) {
      return;
    }
    if (!process.awaitExit(DRAIN_LIMIT)) {
      fault(worker, "did not drain within " + DRAIN_LIMIT.toSeconds() + " s");
      process.kill();
    } else if (process.exitCode() != 0 && !isExcused(worker, process.exitCode())) {
      fault(worker, "drained with exit code " + process.exitCode());
    }
  }

  /** Killed in the middle of its drain, by a message say; or told to end before it could listen. */
  private synchronized boolean isExcused(int worker, int exitCode) {
    boolean young = System.nanoTime() - startedAt[worker] < YOUNG.toNanos();
    return exitCode == KILLED || (exitCode == TERMINATED && young);
  }

  /** Drains all. */
  void drain() {
    for (int worker = 0; worker < MOST; worker++) {
      dismiss(worker);
    }
    for (int worker = 0; worker < MOST; worker++) {
      awaitEnd(worker);
    }
  }

  /** What went wrong with their ends. */
  synchronized List<Finding> faults() {
    return List.copyOf(faults);
  }

  @Override
  public synchronized void close() {
    supervisor.interrupt();
    for (int worker = 0; worker < MOST; worker++) {
      dismissAtOnce(worker);
      tidy(processes[worker]);
    }
  }

  private static void tidy(@Nullable JavaProcess ended) {
    try {
      if (ended != null) {
        WrongClock.tidy(ended.pid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String name(int worker) {
    return "worker-" + (worker + 1);
  }

  private synchronized void fault(int worker, String what) {
    faults.add(new Finding(Breach.CONSUMER_FAULT, null, name(worker) + " " + what));
  }

  private void supervise() {
    try {
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        for (int worker = 0; worker < MOST; worker++) {
          restartIfWanted(worker);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void restartIfWanted(int worker) {
    JavaProcess process = processes[worker];
    if (!wanted[worker] || process == null || process.isAlive()) {
      return;
    }
    deaths++;
    if (process.exitCode() != KILLED) {
      fault(worker, "ended by itself with exit code " + process.exitCode());
    }
    startIfDead(worker);
  }

  private void startIfDead(int worker) {
    JavaProcess process = processes[worker];
    if (process != null && process.isAlive()) {
      return;
    }
    tidy(process);
    startedAt[worker] = System.nanoTime();
    processes[worker] =
        JavaProcess.start(programs.apply(worker), folder.resolve(name(worker) + ".log"));
  }
}
