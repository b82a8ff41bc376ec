package dev.acklast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** {@code bin/chaos} with arguments, and what it printed. */
final class ChaosRun {
  private static final String SERVERS = System.getProperty("acklast.servers", "native");
  private static final String PASSED =
      "verdict: PASS published=\\d+ applied=\\d+ duplicates=\\d+ dead-lettered=[1-9]\\d*"
          + " lost=0 doubled=0 stuck=0 faults=[1-9]\\d*";

  private final Path folder;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  ChaosRun(Path folder) {
    this.folder = folder;
  }

  /** Returns the exit code. */
  int run(String... arguments) {
    assumeThat(SERVERS)
        .as(
            "chaos breaks programs of this machine: neither containers nor servers of somebody else")
        .isEqualTo("native");
    System.setProperty("acklast.servers", SERVERS);
    int code = Chaos.run(new Screen(out, 0), folder, arguments);
    System.out.println(output());
    return code;
  }

  /** Runs with a command line that cannot be used: what is wrong goes to the error stream. */
  int runWithErrors(String... arguments) {
    PrintStream before = System.err;
    System.setErr(out);
    try {
      return run(arguments);
    } finally {
      System.setErr(before);
    }
  }

  String output() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  String lastLine() {
    List<String> lines = output().lines().toList();
    return lines.get(lines.size() - 1);
  }

  /** A short run, with a fixed seed. */
  static void passes(BrokerKind kind, Path folder) {
    ChaosRun chaos = new ChaosRun(folder);
    int code =
        chaos.run("--broker", kind.label(), "--seconds", "12", "--seed", "25", "--rate", "80");
    assertThat(chaos.lastLine()).as(chaos.output()).matches(PASSED);
    assertThat(code).isZero();
    assertThat(folder).as("logs of a run that passed").isEmptyDirectory();
  }
}
