package dev.acklast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of a broken Acklast, which fail; and command lines that cannot be used. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ChaosTest {
  @TempDir Path folder;

  @Tag("broker")
  @Tag("long")
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void findsABrokenAcklast(Breakage breakage) {
    Breach expected =
        switch (breakage) {
          case DEAD_LETTER_NOT_CONFIRMED -> Breach.DEATH_WITHOUT_LETTER;
          case DELIVERIES_COUNTED -> Breach.ATTEMPTS_WITHOUT_RUNS;
          case DEATHS_RENAMED -> Breach.TWO_DEATHS;
          default -> Breach.LOST;
        };
    ChaosRun chaos = new ChaosRun(folder);
    int code =
        chaos.run("--broker", "rabbitmq-quorum", "--seed", "39", "--break", breakage.label());
    assertThat(chaos.lastLine()).as(chaos.output()).startsWith("verdict: FAIL published=");
    assertThat(chaos.output()).contains("breach: " + expected);
    assertThat(code).isEqualTo(1);
  }

  @Test
  void refusesAnUnknownKindAndNamesAll() {
    ChaosRun chaos = new ChaosRun(folder);
    assertThat(chaos.runWithErrors("--broker", "carrier-pigeon")).isEqualTo(2);
    assertThat(chaos.runWithErrors("--broker", "sqs", "--seconds", "9")).isEqualTo(2);
    assertThat(chaos.output())
        .contains("--broker must be one of rabbitmq-classic, rabbitmq-quorum, sqs")
        .contains("--seconds must be 10 to 86400");
  }
}
