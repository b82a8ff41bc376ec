package dev.acklast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Short runs of each kind, with fixed seeds; and runs of a broken Acklast, which fail. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ChaosTest {
  private static final String PASSED =
      "verdict: PASS published=\\d+ applied=\\d+ duplicates=\\d+ dead-lettered=[1-9]\\d*"
          + " lost=0 doubled=0 stuck=0 faults=[1-9]\\d*";

  @TempDir Path folder;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private int run(String... arguments) {
    assumeThat(System.getenv("ACKLAST_DATABASE_URL"))
        .as("servers of somebody else, which are not to be broken")
        .isNull();
    int code = Chaos.run(new Screen(out, 0), folder, arguments);
    System.out.println(output());
    return code;
  }

  private String output() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private String lastLine() {
    List<String> lines = output().lines().toList();
    return lines.get(lines.size() - 1);
  }

  private void passesAShortRun(BrokerKind kind) {
    int code = run("--broker", kind.label(), "--seconds", "16", "--seed", "25", "--rate", "150");
    assertThat(lastLine()).as(output()).matches(PASSED);
    assertThat(code).isZero();
    assertThat(folder).as("logs of a run that passed").isEmptyDirectory();
  }

  @Tag("broker")
  @ParameterizedTest
  @EnumSource(names = {"RABBITMQ_CLASSIC", "RABBITMQ_QUORUM"})
  void passesAShortRunOnRabbitMq(BrokerKind kind) {
    passesAShortRun(kind);
  }

  @ParameterizedTest
  @EnumSource(names = {"SQS", "SQS_FIFO", "KAFKA", "KAFKA_SHARE"})
  void passesAShortRunOn(BrokerKind kind) {
    passesAShortRun(kind);
  }

  @Tag("broker")
  @Tag("long")
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void findsABrokenAcklast(Breakage breakage) {
    int code = run("--broker", "rabbitmq-quorum", "--seed", "39", "--break", breakage.label());
    assertThat(lastLine()).as(output()).startsWith("verdict: FAIL published=");
    assertThat(output()).contains("breach: ");
    assertThat(code).isEqualTo(1);
  }

  @Test
  void refusesAnUnknownKindAndNamesAll() {
    PrintStream before = System.err;
    System.setErr(out);
    try {
      assertThat(run("--broker", "carrier-pigeon")).isEqualTo(2);
      assertThat(run("--broker", "sqs", "--seconds", "9")).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    assertThat(output())
        .contains("--broker must be one of rabbitmq-classic, rabbitmq-quorum, sqs")
        .contains("--seconds must be 10 to 86400");
  }
}
