package dev.acklast.runner;

import dev.acklast.IdempotentConsumer;
import dev.acklast.store.Schema;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Prints the SQL that creates Acklast's tables.")
final class SchemaCommand implements Callable<Integer> {
  @Option(
      names = "--schema",
      paramLabel = "NAME",
      description = "The schema of the tables; default: the first of the search path.")
  private @Nullable String schema;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    String name = schema;
    PrintWriter out = spec.commandLine().getOut();
    if (name != null) {
      try {
        IdempotentConsumer.named("schema").schema(name);
      } catch (IllegalArgumentException e) {
        throw new ConfigException("--schema: " + e.getMessage());
      }
      out.printf("create schema if not exists \"%s\";%n%n", name);
    }
    out.print(Schema.ddl(name));
    out.flush();
    return ExitCode.OK;
  }
}
