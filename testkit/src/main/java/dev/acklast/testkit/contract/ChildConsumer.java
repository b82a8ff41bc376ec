package dev.acklast.testkit.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A {@link ConsumerProcess}, seen from the case that started it. */
final class ChildConsumer implements AutoCloseable {
  private final Process process;
  private final Path log;

  private ChildConsumer(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** One that consumes the scene's queue. */
  static ChildConsumer start(Scene scene) {
    return start(scene, Map.of());
  }

  /** One that dies when the message with this key reaches this step. */
  static ChildConsumer startAndCrash(Scene scene, Event step, String key) {
    return start(
        scene, Map.of(ConsumerProcess.CRASH_STEP, step.name(), ConsumerProcess.CRASH_KEY, key));
  }

  private static ChildConsumer start(Scene scene, Map<String, String> crash) {
    try {
      Path log = Files.createTempFile("acklast-consumer-", ".log");
      ProcessBuilder builder =
          new ProcessBuilder(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  ConsumerProcess.class.getName()));
      Map<String, String> settings = builder.environment();
      settings.putAll(crash);
      settings.put(ConsumerProcess.OPENER, scene.broker.opener().getName());
      settings.put(ConsumerProcess.BROKER_URI, scene.broker.uri());
      settings.put(ConsumerProcess.QUEUE, scene.queue);
      settings.put(ConsumerProcess.DEAD_LETTER, scene.deadLetterQueue);
      DatabaseAddress address = scene.database.address();
      settings.put(ConsumerProcess.DATABASE_URL, address.url());
      settings.put(ConsumerProcess.DATABASE_USER, address.user());
      settings.put(ConsumerProcess.DATABASE_PASSWORD, address.password());
      builder.redirectErrorStream(true).redirectOutput(log.toFile());
      return scene.closing(new ChildConsumer(builder.start(), log));
    } catch (IOException e) {
      throw new UncheckedIOException("no child JVM could be started", e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Whether it ended as {@link CrashingListener} ends it, and not for another reason. */
  boolean crashed() {
    return !process.isAlive() && process.exitValue() == CrashingListener.EXIT_CODE;
  }

  /** What it printed, for the message of a failed assertion. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "its log cannot be read: " + e;
    }
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    Files.deleteIfExists(log);
  }
}
