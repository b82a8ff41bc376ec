package dev.acklast.demo;

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

/** The {@code bin/demo} command. */
@Command(
    name = "bin/demo",
    description = {
      "Pays one commission for each of many sales, while their events come twice, consumers are"
          + " killed and the broker is restarted; then sends the whole month again. Beside it, the"
          + " usual consumer gets the same events.",
      "",
      "It starts its own PostgreSQL and broker: with Docker if an engine answers, else as programs"
          + " on private ports. All of it ends with the demo.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:PASS: each sale has one commission or one place among the dead letters",
      "1:FAIL, or it could not be carried through",
      "2:the command line cannot be used, or something needed is missing"
    })
final class Demo implements Callable<Integer> {
  private static final int LEAST = 100;
  private static final int MOST = 200_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--broker",
      paramLabel = "NAME",
      defaultValue = "sqs",
      description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}, which needs only Java.")
  private BrokerKind broker = BrokerKind.SQS;

  @Option(
      names = "--messages",
      paramLabel = "N",
      description =
          "Sales in the month, 100 to 200,000; default 20,000, with sqs 3,000, whose stand-in on"
              + " this machine is slower.")
  private @Nullable Integer messages;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Draws other sales, resends and faults; default ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--keep",
      description = "Leave the servers up at the end, until Enter or Ctrl-C, and say how to look.")
  private boolean keep;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("UnusedVariable") // picocli asks for the option, not for the field
  private boolean help;

  private final Console console;
  private final Path example;
  private final Path temporary;

  private Demo(Console console, Path example, Path temporary) {
    this.console = console;
    this.example = example;
    this.temporary = temporary;
  }

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    // The demo tells what happens itself; the servers' clients would tell of each lost connection.
    LogLevel.set(Level.OFF);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    int columns = Integer.getInteger("acklast.columns", 0);
    Path root = Path.of(System.getProperty("acklast.root", "."));
    Path example = root.resolve("examples").resolve("commissions").toAbsolutePath();
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    System.exit(run(new Console(out, columns), example, temporary, arguments));
  }

  /**
   * Runs the command line.
   *
   * @param example the folder of the commissions example
   * @param temporary where the logs' folder is made
   * @return the exit code
   */
  static int run(Console console, Path example, Path temporary, String... arguments) {
    Demo demo = new Demo(console, example, temporary);
    return new CommandLine(demo)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionExceptionHandler((failure, command, parsed) -> demo.explain(failure))
        .execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    int size = messages == null ? broker.messages : messages;
    if (size < LEAST || size > MOST) {
      throw new ParameterException(
          spec.commandLine(),
          "--messages must be %s to %s".formatted(Report.number(LEAST), Report.number(MOST)));
    }
    Path logs = Files.createTempDirectory(temporary, "acklast-demo-");
    Month month = Month.draw(size, seed);
    console.line(
        "Acklast demo: %s sales, seed %d; logs of the consumers in %s"
            .formatted(Report.number(size), seed, logs));
    console.begin("PostgreSQL and " + broker.title);
    try (Stage stage = Stage.build(broker, example)) {
      console.done(stage.describe());
      Thread atExit = new Thread(() -> end(stage, logs), "demo-end");
      Runtime.getRuntime().addShutdownHook(atExit);
      try {
        return carryThrough(month, stage, logs);
      } finally {
        Runtime.getRuntime().removeShutdownHook(atExit);
      }
    }
  }

  private int carryThrough(Month month, Stage stage, Path logs) throws Exception {
    int code = tell(new Story(console, month, stage, logs).tell());
    if (keep) {
      new Keeping(console, stage, logs).untilEnter();
    }
    if (code == 0) {
      delete(logs);
    }
    return code;
  }

  private int tell(Story.Ending ending) {
    console.line("");
    Report.table(ending.acklast(), ending.usual()).forEach(console::line);
    console.line("");
    ending.faults().forEach(fault -> console.line("Fault: " + fault));
    console.line(Report.verdict(ending.acklast(), ending.faults()));
    return ending.faults().isEmpty() ? 0 : 1;
  }

  private int explain(Exception failure) {
    String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    console.line("");
    console.line("FAIL: the demo could not be carried through: " + reason);
    return 1;
  }

  /** The user has ended it. */
  private void end(Stage stage, Path logs) {
    console.silence();
    stage.close();
    delete(logs);
  }

  private void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      console.line("The logs in " + folder + " could not be deleted: " + e.getMessage());
    }
  }
}
