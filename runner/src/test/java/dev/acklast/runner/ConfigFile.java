package dev.acklast.runner;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A configuration file, written for a test. */
final class ConfigFile {
  static final String VALID =
      """
      database:
        url: "jdbc:postgresql://localhost/shop"
        user: shop
        password: "${DB_PASSWORD}"
      consumers:
        commissions:
          source: {rabbitmq: {uri: "${AMQP_URI:amqp://localhost}", queue: sales}}
          key: /saleId
          effect: "insert into commission(sale_id, amount) values (:saleId, :amount)"
      """;

  static final Map<String, String> ENVIRONMENT = Map.of("DB_PASSWORD", "SECRET-4711");

  private ConfigFile() {}

  static Path write(Path folder, String text) {
    try {
      return Files.writeString(folder.resolve("sales.yaml"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RunnerConfig load(Path folder, String text) {
    return RunnerConfig.load(write(folder, text), ENVIRONMENT::get);
  }

  /** The refusal of a file, without the folder's name. */
  static String refusal(Path folder, String text) {
    ConfigException refused = catchThrowableOfType(ConfigException.class, () -> load(folder, text));
    if (refused == null) {
      throw new AssertionError("the file was accepted");
    }
    return String.valueOf(refused.getMessage()).replace(folder + "/", "");
  }

  /** The valid file with one line more for its consumer. */
  static String withConsumerLine(String line) {
    return VALID + "    " + line + "\n";
  }
}
