package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigErrorsTest {
  @TempDir Path folder;

  private String refusal(String text) {
    return ConfigFile.refusal(folder, text);
  }

  private String refusalOfLine(String line) {
    return refusal(ConfigFile.withConsumerLine(line));
  }

  @Test
  void anUnknownKeyIsNamedWithItsPlaceAndTheNearestKnownOne() {
    assertThat(refusalOfLine("max-atempts: 3"))
        .isEqualTo(
            "sales.yaml:10:5: consumers.commissions.max-atempts is no known key; did you mean"
                + " max-attempts?");
    assertThat(refusal(ConfigFile.VALID.replace("queue: sales", "que: sales")))
        .isEqualTo(
            "sales.yaml:7:62: consumers.commissions.source.rabbitmq.que is no known key; did you"
                + " mean queue?");
    assertThat(refusal("databse: {}\n" + ConfigFile.VALID))
        .isEqualTo("sales.yaml:1:1: databse is no known key; did you mean database?");
    assertThat(refusal(ConfigFile.VALID.replace("rabbitmq:", "rabbit:")))
        .contains("consumers.commissions.source.rabbit is no known key; did you mean rabbitmq?");
  }

  @Test
  void aMissingKeyIsNamedWithTheMappingThatLacksIt() {
    assertThat(refusal(ConfigFile.VALID.replace("key: /saleId", "scope: a")))
        .isEqualTo("sales.yaml:7:5: consumers.commissions needs the key key");
    assertThat(refusal(ConfigFile.VALID.replace(", queue: sales", "")))
        .contains("source.rabbitmq needs exactly one of the keys queue and queues");
    assertThat(refusal("consumers: {}\n"))
        .isEqualTo("sales.yaml:1:1: the file needs the key database");
    assertThat(
            refusal(ConfigFile.VALID.substring(0, ConfigFile.VALID.indexOf("  comm")) + "  {}\n"))
        .isEqualTo("sales.yaml:6:3: consumers must have at least one entry");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "max-attempts: 0 | max-attempts must be 1 to 1000, not 0",
        "max-attempts: many | max-attempts must be a whole number",
        "concurrency: -1 | concurrency must be 1 to 1000, not -1",
        "prefetch: 65536 | prefetch must be 1 to 65535, not 65536",
        "batch-size: 0 | batch-size must be 1 to 1000, not 0",
        "handler-timeout: 0s | handler-timeout must be PT0.001S to PT12H, not PT0S",
        "drain: 13h | drain must be PT0S to PT12H, not PT13H",
        "retention: 500ms | retention must be PT1S to PT876000H, not PT0.5S",
        "drain: 30 | drain is no duration; one looks like 500ms, 30s, 5m, 12h, 90d or PT30S",
        "allow-expired: yes | allow-expired must be true or false",
        "max-bytes: 0 | max-bytes must be 1 to 536870912, not 0",
        "max-depth: 10001 | max-depth must be 1 to 10000, not 10001",
        "scope: ' a' | scope must have at most 200 characters, and no blanks around them",
        "scope: | scope must be a single value, not nothing",
        "scope: [a] | scope must be a single value, not a list",
        "backoff: 1s | backoff must be a mapping (key: value), not nothing",
        "backoff: {jitter: 2} | backoff jitter must be 0 to 1, not 2.0",
        "backoff: {max-interval: 500ms} | backoff max-interval must not be below",
        "dead-letter: {exchange: dlx} | dead-letter needs the key routing-key",
        "event-time: createdAt | event-time must be a JSON pointer like /createdAt",
        "ordered-by: saleId | ordered-by must be a JSON pointer like /saleId",
      })
  void aValueOutOfItsRangeIsNamedWithItsPathAndItsRule(String line, String refusal) {
    assertThat(refusalOfLine(line))
        .matches("sales\\.yaml:10:\\d+: .*")
        .contains("consumers.commissions." + refusal);
  }

  @Test
  void keysAreRefusedWithAnExample() {
    assertThat(refusal(ConfigFile.VALID.replace("key: /saleId", "key: saleId")))
        .isEqualTo(
            "sales.yaml:8:10: consumers.commissions.key must be a JSON pointer like /saleId, or"
                + " header:NAME, record-key, message-id, or a list of these");
    assertThat(refusal(ConfigFile.VALID.replace("key: /saleId", "key: [/a, '/b~x']")))
        .contains("consumers.commissions.key[1] '/b~x' is no JSON pointer to a field");
    assertThat(refusal(ConfigFile.VALID.replace("key: /saleId", "key: []")))
        .contains("consumers.commissions.key must not be an empty list");
  }

  @Test
  void effectsThatCannotBeReadAreRefused() {
    assertThat(refusal(ConfigFile.VALID.replace("effect: \"insert", "effect: \"commit; insert")))
        .isEqualTo(
            "sales.yaml:9:13: consumers.commissions.effect must not hold commit: Acklast begins and"
                + " commits the transaction");
  }

  @Test
  void aMissingVariableIsNamedAndValuesAreNot() {
    assertThat(refusal(ConfigFile.VALID.replace("DB_PASSWORD", "NO_SUCH_VARIABLE")))
        .isEqualTo(
            "sales.yaml:4:13: database.password needs the environment variable NO_SUCH_VARIABLE,"
                + " which is not set; set it, or write ${NO_SUCH_VARIABLE:default}");
    assertThat(refusal(ConfigFile.VALID.replace("${AMQP_URI:amqp://localhost}", "${DB_PASSWORD}")))
        .contains("consumers.commissions.source.rabbitmq.uri")
        .doesNotContain("SECRET");
    assertThat(refusalOfLine("concurrency: ${DB_PASSWORD}"))
        .isEqualTo("sales.yaml:10:18: consumers.commissions.concurrency must be a whole number");
    assertThat(refusal(ConfigFile.VALID.replace("${DB_PASSWORD}", "${DB-PASSWORD}")))
        .contains("database.password has a ${ that names no environment variable");
  }

  @Test
  void wrongAddressesAreRefusedWithoutRepeatingThem() {
    assertThat(refusal(ConfigFile.VALID.replace("jdbc:postgresql:", "jdbc:mysql://u:SECRET@")))
        .isEqualTo(
            "sales.yaml:2:8: database.url must look like jdbc:postgresql://host:5432/database");
    assertThat(refusal(ConfigFile.VALID.replace("amqp://localhost", "http://u:SECRET@h")))
        .contains("source.rabbitmq.uri must look like")
        .contains("amqp://user:password@host:5672/vhost")
        .doesNotContain("SECRET");
    assertThat(refusal(ConfigFile.VALID.replace("amqp://localhost", "amqp://u:SE CRET@h")))
        .contains("source.rabbitmq.uri")
        .contains("percent-encoded")
        .doesNotContain("CRET");
    String management = "queue: sales, management: \"localhost SECRET\"";
    assertThat(refusal(ConfigFile.VALID.replace("queue: sales", management)))
        .contains("management must look like http://localhost:15672")
        .doesNotContain("SECRET");
  }

  @Test
  void aPoolSmallerThanTheLanesIsRefused() {
    assertThat(refusal(ConfigFile.VALID.replace("user: shop", "pool-size: 5")))
        .isEqualTo(
            "sales.yaml:3:14: database.pool-size must be at least 6: one connection for each lane of"
                + " all consumers, and two more; raise it, or lower concurrency");
    assertThat(refusal(ConfigFile.VALID.replace("user: shop", "pool-size: 0")))
        .contains("database.pool-size must be 1 to 1000, not 0");
    assertThat(refusal(ConfigFile.VALID.replace("user: shop", "schema: My-Schema")))
        .contains("database.schema must be lower-case letters");
  }

  @Test
  void aKeyThatStandsTwiceIsRefused() {
    assertThat(refusalOfLine("key: /other"))
        .isEqualTo("sales.yaml:10:5: consumers.commissions.key stands here twice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"password: [SECRET", "password: \"SECRET", "password: @SECRET", "\tSECRET"})
  void brokenYamlIsRefusedWithItsPlaceAndWithoutTheLine(String line) {
    assertThat(refusal("database:\n  " + line + "\n"))
        .matches("(?s)sales\\.yaml:\\d+:\\d+: this is not valid YAML: .*")
        .doesNotContain("SECRET");
  }

  @Test
  void filesThatCannotBeReadAreRefused() throws Exception {
    assertThat(refusal("")).isEqualTo("sales.yaml: the file is empty");
    assertThat(refusal("- a\n")).contains("the file must be a mapping (key: value), not a list");
    Path latin =
        Files.write(folder.resolve("latin.yaml"), "# ä".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> RunnerConfig.load(latin, n -> null)))
        .hasMessage(latin + ": the file is not valid UTF-8");
  }

  @Test
  void orderThatTheSourceCannotKeepIsRefusedWhenTheConsumerIsBuilt() {
    RunnerConfig config =
        ConfigFile.load(folder, ConfigFile.withConsumerLine("ordered-by: /customer"));
    try (var pool = Pool.of(config.database())) {
      assertThat(
              org.assertj.core.api.Assertions.catchThrowable(
                  () -> ConsumerGroup.build(config.consumers(), pool, new Tally())))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("orderedBy cannot be kept by rabbitmq:sales");
    }
  }
}
