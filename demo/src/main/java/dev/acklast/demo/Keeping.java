package dev.acklast.demo;

import dev.acklast.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** Leaves the servers up after the end, and says how to look at them. */
final class Keeping {
  private static final String AUDIT = "demo/src/main/resources/dev/acklast/demo/audit.sql";

  private final Console console;
  private final Stage stage;
  private final Path logs;

  Keeping(Console console, Stage stage, Path logs) {
    this.console = console;
    this.stage = stage;
    this.logs = logs;
  }

  /** Waits for Enter; without an input, for the signal that ends the process. */
  void untilEnter() throws IOException, InterruptedException {
    PostgresServer postgres = stage.postgres();
    say("");
    say("The servers stay up until you press Enter or Ctrl-C. Their passwords die with them.");
    say("");
    say("Acklast's shop, and the usual consumer's:");
    say("  " + psql(postgres, Stage.ACKLAST_DATABASE));
    say("  " + psql(postgres, Stage.USUAL_DATABASE));
    say("  select * from commission limit 10;  select * from acklast.acklast_claim limit 10;");
    say("  select * from demo.sale where kind <> 'GOOD';  select * from demo.dead_letter;");
    say("The audit again:");
    say("  " + psql(postgres, Stage.ACKLAST_DATABASE) + " -x -f " + AUDIT);
    stage.broker().hints().forEach(this::say);
    say("The consumer, once more:");
    new TreeMap<>(stage.acklastEnvironment())
        .forEach((name, value) -> say("  %s='%s' \\".formatted(name, value)));
    say("    bin/acklast run " + stage.configuration());
    say("Logs of the consumers: " + logs);
    if (System.in.read() < 0) {
      new CountDownLatch(1).await();
    }
  }

  private void say(String line) {
    console.line(line);
  }

  private static String psql(PostgresServer postgres, String database) {
    String password =
        postgres.password().isEmpty() ? "" : "PGPASSWORD='" + postgres.password() + "' ";
    return "%spsql -h 127.0.0.1 -p %d -U %s -d %s"
        .formatted(password, postgres.port(), postgres.user(), database);
  }
}
