package dev.acklast.demo;

import dev.acklast.servers.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Two processes of one consumer, on one queue. For one thread. */
final class Crew {
  static final int PROCESSES = 2;
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

  private final String name;
  private final JavaProcess.Program program;
  private final String atWork;
  private final Path logs;
  private final int[] starts = new int[PROCESSES];
  private final List<JavaProcess> processes = new ArrayList<>();

  /**
   * @param name names the logs
   * @param atWork what a process writes into its log when it is at work
   * @param logs the folder of the processes' logs, one each
   */
  Crew(String name, JavaProcess.Program program, String atWork, Path logs) {
    this.name = name;
    this.program = program;
    this.atWork = atWork;
    this.logs = logs;
  }

  void start() {
    while (processes.size() < PROCESSES) {
      processes.add(process(processes.size()));
    }
  }

  /** Ends one as kill -9 does. */
  void kill(int number) {
    processes.get(number).kill();
  }

  /** Ends all as kill -9 does, those that have ended included. */
  void kill() {
    processes.forEach(JavaProcess::kill);
  }

  /** Starts one that was killed again. */
  void restart(int number) {
    processes.set(number, process(number));
  }

  /**
   * Has all end in order.
   *
   * @return what went wrong, empty if nothing did
   */
  List<String> drain() {
    List<String> faults = new ArrayList<>();
    for (int number = 0; number < processes.size(); number++) {
      if (!processes.get(number).isAlive()) {
        faults.add(label(number) + " ended by itself, see its log " + log(number));
      }
      processes.get(number).terminate();
    }
    for (int number = 0; number < processes.size(); number++) {
      JavaProcess process = processes.get(number);
      if (!process.awaitExit(DRAIN_LIMIT)) {
        faults.add(label(number) + " did not end within " + DRAIN_LIMIT.toSeconds() + " s");
        process.kill();
      }
    }
    return faults;
  }

  /** The exit codes of those that were drained. */
  List<Integer> exitCodes() {
    return processes.stream().map(JavaProcess::exitCode).toList();
  }

  /** Whether all that were started have come to work. */
  boolean isAtWork() {
    for (int number = 0; number < processes.size(); number++) {
      if (timesAtWork(number) < starts[number]) {
        return false;
      }
    }
    return true;
  }

  private long timesAtWork(int number) {
    try (Stream<String> lines = Files.lines(log(number))) {
      return lines.filter(line -> line.contains(atWork)).count();
    } catch (IOException e) {
      return 0;
    }
  }

  private JavaProcess process(int number) {
    starts[number]++;
    return JavaProcess.start(program, log(number));
  }

  private String label(int number) {
    return name + " " + (number + 1);
  }

  private Path log(int number) {
    return logs.resolve(name + "-" + (number + 1) + ".log");
  }
}
