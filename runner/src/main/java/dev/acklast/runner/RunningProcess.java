package dev.acklast.runner;

import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.spi.RefusedException;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of {@code acklast run}: look, start, show what happens, drain. */
final class RunningProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RunningProcess.class);

  private final RunnerConfig config;
  private final Terminal terminal;
  private final boolean showProgress;

  RunningProcess(RunnerConfig config, Terminal terminal, boolean showProgress) {
    this.config = config;
    this.terminal = terminal;
    this.showProgress = showProgress;
  }

  /**
   * Consumes until the signal comes.
   *
   * @return the exit code
   * @throws ConfigException if database or broker show that the configuration cannot work
   */
  int until(StopSignal stop) throws InterruptedException {
    lookAtDatabase();
    Tally tally = new Tally();
    try (HikariDataSource pool = Pool.of(config.database())) {
      ConsumerGroup group = ConsumerGroup.build(config.consumers(), pool, tally);
      try {
        group.start();
      } catch (RefusedException | IllegalArgumentException e) {
        throw new ConfigException(String.valueOf(e.getMessage()));
      }
      Progress progress = new Progress(tally, terminal, System.nanoTime());
      watch(group.watches(), progress, stop);
      terminal.status("");
      LOG.info("Draining: started work is finished, the rest is given back");
      boolean finished = group.drain();
      progress.end(System.nanoTime());
      if (!finished) {
        LOG.warn("The drain's time ran out: unfinished work was rolled back and will come again");
      }
      return finished ? ExitCode.OK : ExitCode.CUT_SHORT;
    }
  }

  private void watch(List<HealthWatch> watches, Progress progress, StopSignal stop)
      throws InterruptedException {
    while (!stop.await(Progress.REFRESH)) {
      watches.forEach(HealthWatch::look);
      if (showProgress) {
        progress.tick(System.nanoTime());
      }
    }
  }

  private void lookAtDatabase() {
    try {
      List<String> findings =
          new Preflight(config.database(), Pool.unpooled(config.database()))
              .findings(config.consumers(), false);
      if (!findings.isEmpty()) {
        throw new ConfigException(String.join("\n", findings));
      }
    } catch (SQLException e) {
      if (Preflight.isRefusal(e)) {
        throw new ConfigException("database: " + SqlFailure.describe(e));
      }
      LOG.warn("The database cannot be reached yet: {}. Waiting for it", SqlFailure.describe(e));
    }
  }
}
