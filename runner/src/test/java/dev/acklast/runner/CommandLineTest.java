package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.store.Schema;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir Path folder;

  private int execute(String... arguments) {
    return Acklast.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void helpIsEverywhereAndStatesTheExitCodes() {
    assertThat(execute("--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("run", "check", "schema", "Exit codes:", "nothing was consumed");
    for (String command : new String[] {"run", "check", "schema"}) {
      out.getBuffer().setLength(0);
      assertThat(execute(command, "--help")).isEqualTo(ExitCode.OK);
      assertThat(out.toString()).startsWith("Usage: acklast " + command);
    }
  }

  @Test
  void theVersionIsWhatTheBuildWroteDown() {
    assertThat(execute("--version")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).matches("acklast \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
  }

  @ParameterizedTest
  @CsvSource({
    "'',Missing required subcommand",
    "ran,Unmatched argument",
    "run,Missing required parameter"
  })
  void wrongUseIsRefused(String argument, String text) {
    assertThat(argument.isEmpty() ? execute() : execute(argument)).isEqualTo(ExitCode.REFUSED);
    assertThat(err.toString()).contains(text);
  }

  @Test
  void schemaPrintsTheSqlThatCoreRuns() {
    assertThat(execute("schema")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).isEqualTo(Schema.ddl(null)).contains("acklast_claim");
    out.getBuffer().setLength(0);
    assertThat(execute("schema", "--schema", "shop")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith("create schema if not exists \"shop\";")
        .endsWith(Schema.ddl("shop"));
  }

  @Test
  void schemaRefusesNamesThatAreNone() {
    assertThat(execute("schema", "--schema", "a\"; drop")).isEqualTo(ExitCode.REFUSED);
    assertThat(err.toString()).startsWith("acklast: --schema: schema must be lower-case letters");
  }

  @Test
  void checkAcceptsAValidFileWithoutConnecting() {
    String text = ConfigFile.VALID.replace("${DB_PASSWORD}", "x").replace("localhost", "192.0.2.1");
    assertThat(execute("check", ConfigFile.write(folder, text).toString())).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("commissions: rabbitmq:sales, 4 lanes, 1 statements")
        .contains("The file is right.");
  }

  @Test
  void checkAndRunRefuseAnInvalidFileWithTheSameWords() {
    String file =
        ConfigFile.write(folder, ConfigFile.withConsumerLine("max-atempts: 3")).toString();
    assertThat(execute("check", file)).isEqualTo(ExitCode.REFUSED);
    String refusal = err.toString();
    // The password's variable is not set in this process; unknown keys are found before that.
    assertThat(refusal).startsWith("acklast: " + file + ":").hasLineCount(1);
    err.getBuffer().setLength(0);
    assertThat(execute("run", file)).isEqualTo(ExitCode.REFUSED);
    assertThat(err.toString()).isEqualTo(refusal);
  }

  @Test
  void aMissingFileIsRefused() {
    assertThat(execute("run", folder.resolve("none.yaml").toString())).isEqualTo(ExitCode.REFUSED);
    assertThat(err.toString()).contains("none.yaml: there is no such file");
  }
}
