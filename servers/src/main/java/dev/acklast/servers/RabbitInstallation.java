package dev.acklast.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * RabbitMQ as it is installed on this machine: the scripts of the distribution, not the wrappers on
 * the path, which change the user.
 *
 * @param scripts the folder with {@code rabbitmq-server} and {@code rabbitmqctl}
 */
record RabbitInstallation(Path scripts) {

  /**
   * Looks where packages put it; the system property {@code acklast.rabbitmq.home} comes first.
   *
   * @throws IllegalStateException if there is none; the message says how to get one
   */
  static RabbitInstallation find() {
    return candidates()
        .filter(folder -> Files.isExecutable(folder.resolve("rabbitmq-server")))
        .findFirst()
        .map(RabbitInstallation::new)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "RabbitMQ is not installed here. Install it"
                        + " (apt-get install --no-install-recommends rabbitmq-server, or"
                        + " brew install rabbitmq), or start Docker, or name your own broker in"
                        + " ACKLAST_RABBITMQ_URI; an unpacked distribution is named with"
                        + " -Dacklast.rabbitmq.home=FOLDER"));
  }

  private static Stream<Path> candidates() {
    List<String> homes = new ArrayList<>();
    String home = System.getProperty("acklast.rabbitmq.home");
    if (home != null) {
      homes.add(home);
    }
    homes.add("/usr/lib/rabbitmq");
    homes.add("/opt/homebrew/opt/rabbitmq");
    homes.add("/usr/local/opt/rabbitmq");
    return homes.stream()
        .flatMap(folder -> Stream.of(Path.of(folder, "bin"), Path.of(folder, "sbin")));
  }

  String server() {
    return scripts.resolve("rabbitmq-server").toString();
  }

  String rabbitmqctl() {
    return scripts.resolve("rabbitmqctl").toString();
  }
}
