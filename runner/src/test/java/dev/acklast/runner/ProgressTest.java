package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.acklast.DeathReason;
import dev.acklast.MessageInfo;
import dev.acklast.spi.Envelope;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ProgressTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Tally tally = new Tally();

  private record Info(
      String consumer, String scope, Envelope envelope, @Nullable String key, long ageNanos)
      implements MessageInfo {}

  private void happen(int applied, int duplicates, int retried, int deadLettered) {
    var message = new Info("c", "c", Envelope.of("q", new byte[0]).build(), "k", 1);
    for (int i = 0; i < applied; i++) {
      tally.committed(message);
    }
    for (int i = 0; i < duplicates; i++) {
      tally.duplicate(message);
    }
    for (int i = 0; i < retried; i++) {
      tally.retried(message, Duration.ZERO);
    }
    for (int i = 0; i < deadLettered; i++) {
      tally.deadLettered(message, DeathReason.INVALID);
    }
  }

  private Terminal terminal(boolean interactive) {
    Terminal terminal =
        new Terminal(new PrintStream(bytes, true, StandardCharsets.UTF_8), interactive);
    Logging.configure(Level.INFO, terminal);
    return terminal;
  }

  private String shown() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTerminalHasOneLineThatIsRefreshedBelowTheLog() {
    Progress progress = new Progress(tally, terminal(true), 0);
    happen(1000, 20, 3, 1);
    progress.tick(SECOND / 2);
    String line = "1,000 applied, 20 duplicates, 3 retried, 1 dead-lettered, 2,042/s";
    assertThat(shown()).isEqualTo("\r\u001B[K" + line);
    bytes.reset();
    LoggerFactory.getLogger(ProgressTest.class).info("a log line");
    assertThat(shown()).startsWith("\r\u001B[K").contains("a log line").endsWith("\n" + line);
    bytes.reset();
    progress.end(2 * SECOND);
    assertThat(shown())
        .startsWith("\r\u001B[K")
        .contains("In all 1,000 applied, 20 duplicates, 3 retried, 1 dead-lettered, 511/s");
  }

  @Test
  void elsewhereALineIsWrittenEveryTenSecondsIfSomethingHasChanged() {
    Progress progress = new Progress(tally, terminal(false), 0);
    happen(50, 0, 0, 0);
    progress.tick(SECOND);
    assertThat(shown()).isEmpty();
    progress.tick(10 * SECOND);
    assertThat(shown()).contains("50 applied, 0 duplicates, 0 retried, 0 dead-lettered, 5/s");
    bytes.reset();
    progress.tick(20 * SECOND);
    assertThat(shown()).isEmpty();
    happen(0, 10, 0, 0);
    progress.tick(30 * SECOND);
    assertThat(shown())
        .contains("50 applied, 10 duplicates")
        .contains(", 1/s")
        .doesNotContain("\r");
  }
}
