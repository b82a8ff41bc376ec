package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaProcessTest {
  @TempDir Path folder;
  private Path log;
  private JavaProcess process;

  /** Says what it was given, and waits. */
  static final class Waiting {
    private Waiting() {}

    public static void main(String[] arguments) throws Exception {
      System.out.println(arguments[0] + " " + System.getenv("PLACE") + " at work");
      Thread.sleep(Duration.ofMinutes(5).toMillis());
    }
  }

  @BeforeEach
  void start() {
    log = folder.resolve("log");
    process =
        JavaProcess.start(
            new JavaProcess.Program(
                Waiting.class.getName(),
                List.of("given"),
                Map.of("PLACE", "here"),
                List.of("-Xmx32m")),
            log);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(Files.readString(log)).contains("at work"));
  }

  @AfterEach
  void end() {
    process.kill();
  }

  @Test
  void runsAClassOfThisClassPathWithArgumentsAndEnvironment() throws Exception {
    assertThat(Files.readString(log)).contains("given here at work");
    assertThat(process.isAlive()).isTrue();
    assertThat(ProcessHandle.of(process.pid())).isPresent();
  }

  @Test
  void killedItIsGoneAtOnce() {
    process.kill();
    assertThat(process.isAlive()).isFalse();
    assertThat(process.exitCode()).isEqualTo(128 + 9);
  }

  @Test
  void askedToEndItEndsByItself() {
    process.terminate();
    assertThat(process.awaitExit(Duration.ofSeconds(30))).isTrue();
    assertThat(process.exitCode()).isEqualTo(128 + 15);
  }
}
