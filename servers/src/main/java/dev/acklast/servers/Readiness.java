package dev.acklast.servers;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Waits until a launched server answers. */
final class Readiness {

  /** One try to use the server; throws as long as it does not answer. */
  interface Probe {
    void run() throws Exception;
  }

  private Readiness() {}

  /**
   * Probes every 50 ms.
   *
   * @throws IllegalStateException if the server ends or does not answer within the limit; the
   *     message has the log's last lines, the cause is the last probe's
   */
  static void await(ServerEngine engine, Duration limit, Probe probe) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Exception failure = tryOnce(probe);
      if (failure == null) {
        return;
      }
      if (!engine.isRunning()) {
        throw failed(engine, "ended while it was starting", failure);
      }
      if (System.nanoTime() - deadline > 0) {
        throw failed(engine, "did not answer within " + limit.toSeconds() + " s", failure);
      }
      Pause.ofMillis(50);
    }
  }

  private static @Nullable Exception tryOnce(Probe probe) {
    try {
      probe.run();
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a server", e);
    } catch (Exception e) {
      return e;
    }
  }

  private static IllegalStateException failed(ServerEngine engine, String what, Exception failure) {
    String log = engine.logTail();
    String evidence = log.isEmpty() ? "" : ". The end of its log:\n" + log;
    return new IllegalStateException(engine.description() + " " + what + evidence, failure);
  }
}
