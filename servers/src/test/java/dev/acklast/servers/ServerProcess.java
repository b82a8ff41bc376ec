package dev.acklast.servers;

/** A JVM that starts the shared servers, tells its children, and waits to be ended. */
final class ServerProcess {
  private ServerProcess() {}

  public static void main(String[] parts) throws Exception {
    for (String part : parts) {
      switch (part) {
        case "rabbit" -> Servers.sharedRabbit();
        case "postgres" -> Servers.sharedPostgres();
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
}
