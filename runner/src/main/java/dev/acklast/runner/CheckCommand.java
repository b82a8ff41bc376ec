package dev.acklast.runner;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Checks FILE without consuming anything.")
final class CheckCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The configuration, in YAML.")
  private Path file = Path.of("");

  @Option(
      names = "--connect",
      description =
          "Also connect: look at the tables, have the database parse the effects, look for the"
              + " queues. Changes nothing.")
  private boolean connect;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Logging.configure(Level.WARN, Terminal.ofProcess());
    RunnerConfig config = RunnerConfig.load(file, System::getenv);
    try (HikariDataSource unused = Pool.of(config.database())) {
      ConsumerGroup.build(config.consumers(), unused, new Tally());
    }
    List<String> findings = connect ? findings(config) : List.of();
    for (String finding : findings) {
      spec.commandLine().getErr().println("acklast: " + finding);
    }
    if (!findings.isEmpty()) {
      return ExitCode.FAILED;
    }
    PrintWriter out = spec.commandLine().getOut();
    for (ConsumerConfig consumer : config.consumers()) {
      out.printf(
          "%s: %s, %d lanes, %d statements%n",
          consumer.name(),
          consumer.source().name(),
          consumer.lanes(),
          consumer.statements().size());
    }
    out.println(connect ? "The file is right, and its servers serve it." : "The file is right.");
    return ExitCode.OK;
  }

  private static List<String> findings(RunnerConfig config) {
    List<String> findings = new ArrayList<>();
    try {
      findings.addAll(
          new Preflight(config.database(), Pool.unpooled(config.database()))
              .findings(config.consumers(), true));
    } catch (SQLException e) {
      findings.add("database: " + SqlFailure.describe(e));
    }
    for (ConsumerConfig consumer : config.consumers()) {
      for (String finding : consumer.probe().findings()) {
        findings.add("consumers." + consumer.name() + ": " + finding);
      }
    }
    return findings;
  }
}
