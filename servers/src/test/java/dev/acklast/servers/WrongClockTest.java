package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrongClockTest {
  private static final Path SHARED = Path.of("/dev/shm");

  @TempDir private Path folder;

  /** Tells the time, and ends before the library can tidy up. */
  static final class Telling {
    public static void main(String[] arguments) {
      System.out.println(Instant.now());
      System.out.flush();
      Runtime.getRuntime().halt(0);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {2 * 24 * 60, -10})
  void aProcessHasTheWrongTimeAndLeavesNothingBehind(long minutes) throws IOException {
    assumeTrue(WrongClock.isPossible(), "Debian's package libfaketime is not installed");
    Duration ahead = Duration.ofMinutes(minutes);
    Path log = folder.resolve("log");
    JavaProcess process =
        JavaProcess.start(
            new JavaProcess.Program(
                Telling.class.getName(), List.of(), WrongClock.environment(ahead), List.of()),
            log);
    assertThat(process.awaitExit(Duration.ofSeconds(30))).isTrue();
    Instant told = Instant.parse(Files.readString(log).strip());
    assertThat(Duration.between(Instant.now().plus(ahead), told).abs())
        .isLessThan(Duration.ofMinutes(1));
    WrongClock.tidy(process.pid());
    assertThat(SHARED.resolve("faketime_shm_" + process.pid())).doesNotExist();
    assertThat(SHARED.resolve("sem.faketime_sem_" + process.pid())).doesNotExist();
  }
}
