package dev.acklast.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A JVM that starts the shared servers, tells its children, and waits to be ended. */
final class ServerProcess {
  private ServerProcess() {}

  public static void main(String[] parts) throws Exception {
    for (String part : parts) {
      switch (part) {
        case "rabbit" -> Servers.sharedRabbit();
        case "sqs" -> Servers.sharedSqs();
        case "postgres" -> Servers.sharedPostgres();
        case "another" -> Servers.postgres();
        case "age" -> age(Path.of(System.getProperty("acklast.servers.folder")));
        case "freeze" -> Servers.sharedPostgres().freeze();
        default -> throw new IllegalArgumentException(part);
      }
    }
    ProcessHandle.current()
        .descendants()
        .forEach(child -> System.out.println("pid " + child.pid()));
    System.out.println("ready");
    System.in.read(); // the end of the input is the order to end
  }

  /**
   * Makes server folders look older than the time for which none is taken for abandoned; with a
   * command, since Java would open the files, and closing them drops this JVM's locks on them.
   */
  static void age(Path folder) {
    String touch = "touch -d '5 minutes ago' " + folder + "/*/owner.lock";
    ShellCommand.run(Duration.ofSeconds(5), List.of("sh", "-c", touch));
  }
}
