package dev.acklast.runner;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description =
        "Runs the consumers of FILE until SIGTERM or SIGINT; then finishes what was started, gives"
            + " back the rest, and ends.")
final class RunCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The configuration, in YAML.")
  private Path file = Path.of("");

  @Mixin private LogOptions log = new LogOptions();

  @Override
  public Integer call() throws Exception {
    Terminal terminal = Terminal.ofProcess();
    Logging.configure(log.level(), terminal);
    RunnerConfig config = RunnerConfig.load(file, System::getenv);
    StopSignal stop = StopSignal.install();
    int code = ExitCode.FAILED;
    try {
      code = new RunningProcess(config, terminal, !log.isQuiet()).until(stop);
    } catch (ConfigException e) {
      code = ExitCode.REFUSED;
      throw e;
    } finally {
      stop.finished(code);
    }
    return code;
  }
}
