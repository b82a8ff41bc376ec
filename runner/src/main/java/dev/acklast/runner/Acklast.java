package dev.acklast.runner;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code acklast} command. */
@Command(
    name = "acklast",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Message consumers whose effects land in the database exactly once.",
    subcommands = {
      RunCommand.class,
      CheckCommand.class,
      SchemaCommand.class,
      CommandLine.HelpCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done; or stopped by a signal, with everything settled",
      "1:something failed while it ran",
      "2:the command line or the configuration cannot be used; nothing was consumed",
      "3:stopped by a signal, and the drain's time ran out; unfinished work will come again"
    })
public final class Acklast {
  private Acklast() {}

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Acklast())
        .setExecutionExceptionHandler(Acklast::explain)
        .setUsageHelpAutoWidth(true);
  }

  private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (failure instanceof ConfigException) {
      PrintWriter err = command.getErr();
      err.println("acklast: " + failure.getMessage());
      err.flush();
      return ExitCode.REFUSED;
    }
    throw failure;
  }
}
