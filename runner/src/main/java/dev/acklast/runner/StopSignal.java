package dev.acklast.runner;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM and SIGINT as a wish to stop in order. The JVM's own exit code after a signal is 143 or
 * 130, whatever was achieved; here the process ends with the code of what was achieved.
 */
final class StopSignal {
  private final CountDownLatch wished = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile int exitCode = ExitCode.OK;

  /** Hears signals from now on. */
  static StopSignal install() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(signal::endProcess, "acklast-stop"));
    return signal;
  }

  /** Waits for a signal; returns whether there was one. */
  boolean await(Duration longest) throws InterruptedException {
    return wished.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Says that all is done: the process may end. */
  void finished(int code) {
    exitCode = code;
    done.countDown();
  }

  private void endProcess() {
    wished.countDown();
    try {
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(exitCode);
  }
}
