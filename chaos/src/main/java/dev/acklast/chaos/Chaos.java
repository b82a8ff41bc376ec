package dev.acklast.chaos;

import ch.qos.logback.classic.Level;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bin/chaos} command. */
@Command(
    name = "bin/chaos",
    description = {
      "Breaks consumers, broker, database and the links between them in the middle of work, in an"
          + " order that the seed decides; then heals all, drains, and counts: every confirmed"
          + " publish must be one effect or one dead letter.",
      "",
      "It starts its own PostgreSQL, broker and three consumer processes, and ends them.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:PASS",
      "1:FAIL: a breach, whose history is printed; or the run could not be carried through",
      "2:the command line cannot be used, or something needed is missing"
    })
final class Chaos implements Callable<Integer> {
  private static final int LEAST_SECONDS = 10;
  private static final int MOST_SECONDS = 24 * 3600;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--broker",
      paramLabel = "KIND",
      required = true,
      description = "rabbitmq-classic, rabbitmq-quorum, sqs, sqs-fifo, kafka or kafka-share.")
  private String broker = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long messages are published, 10 to 86400; default ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Draws other messages and faults; default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "New messages a second, 1 to 5000; the default is the kind's.")
  private @Nullable Integer rate;

  @Option(
      names = "--break",
      paramLabel = "HOW",
      defaultValue = "none",
      description = "Runs an Acklast that is broken on purpose, which must be found; see docs.")
  private String breakage = "none";

  @Option(names = "--keep", description = "Keep logs and journals, also of a run that passed.")
  private boolean keep;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("UnusedVariable") // picocli asks for the option, not for the field
  private boolean help;

  private final Screen screen;
  private final Path temporary;

  private Chaos(Screen screen, Path temporary) {
    this.screen = screen;
    this.temporary = temporary;
  }

  /**
   * Runs the command line and ends the process with its exit code.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    // Lost connections are the point; the servers' clients would tell of each.
    LogLevel.set(Level.OFF, Level.OFF);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Screen screen = new Screen(out, Integer.getInteger("acklast.columns", 0));
    System.exit(run(screen, Path.of(System.getProperty("java.io.tmpdir")), arguments));
  }

  /**
   * Runs the command line.
   *
   * @param temporary where the run's folder is made
   * @return the exit code
   */
  static int run(Screen screen, Path temporary, String... arguments) {
    Chaos chaos = new Chaos(screen, temporary);
    return new CommandLine(chaos)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler((failure, command, parsed) -> chaos.explain(failure))
        .execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    Campaign.Order order = order();
    Path folder = Files.createTempDirectory(temporary, "acklast-chaos-");
    screen.line(
        "Acklast chaos: %s, %d s, seed %d%s; logs and journals in %s"
            .formatted(
                order.kind().label(),
                seconds,
                seed,
                order.breakage() == Breakage.NONE ? "" : ", broken: " + order.breakage().label(),
                folder));
    Audit.Report report;
    try (Stage stage = Stage.build(order.kind(), order.breakage(), folder)) {
      screen.event(stage.describe());
      Thread atExit = new Thread(stage::close, "chaos-end");
      Runtime.getRuntime().addShutdownHook(atExit);
      report = new Campaign(order, screen, stage).run();
      Runtime.getRuntime().removeShutdownHook(atExit);
    }
    if (report.verdict().passes() && !keep) {
      delete(folder);
    }
    screen.line(report.verdict().line());
    return report.verdict().passes() ? 0 : 1;
  }

  private Campaign.Order order() {
    check(seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS, "--seconds must be 10 to 86400");
    BrokerKind kind = argument("--broker", () -> BrokerKind.of(broker));
    int chosen = rate == null ? kind.rate() : rate;
    check(chosen >= 1 && chosen <= 5_000, "--rate must be 1 to 5000");
    Breakage broken = argument("--break", () -> Breakage.of(breakage));
    return new Campaign.Order(kind, seconds, seed, chosen, broken);
  }

  private <T> T argument(String option, java.util.function.Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + " " + e.getMessage(), e);
    }
  }

  private void check(boolean right, String rule) {
    if (!right) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  private int explain(Exception failure) {
    String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    screen.line("verdict: FAIL the run could not be carried through: " + reason);
    return 1;
  }

  private void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      screen.line("The logs in " + folder + " could not be deleted: " + e.getMessage());
    }
  }
}
