package dev.acklast.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.acklast.spi.Capabilities;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReadingTest {
  private static final String FULL =
      """
      database:
        url: "jdbc:postgresql://localhost:5433/shop?ssl=false"
        user: shop
        password: "a$${b}${DB_PASSWORD}"
        schema: acklast
        create-tables: false
        pool-size: 40
        accept-asynchronous-commit: true
      consumers:
        commissions:
          source:
            rabbitmq:
              uri: amqps://u:p@localhost:5671/%2F
              queues: [sales, refunds]
              topology: none
              single-active-consumer: true
              consumer-timeout: 10m
              management: http://localhost:15672
          key: [/saleId, "header:shop", record-key, message-id]
          scope: shared
          max-attempts: 3
          dead-letter: {exchange: sales.dlx, routing-key: dead}
          effect:
            - insert into commission(sale_id) values (:saleId)
            - update seller set balance = balance + :amount where id = :sellerId
          concurrency: 8
          prefetch: 500
          batch-size: 50
          backoff: {initial-interval: 500ms, multiplier: 3, max-interval: 10m, jitter: 0}
          handler-timeout: PT10S
          drain: 20s
          retention: 30d
          event-time: /createdAt
          allow-expired: true
          ordered-by: /customer
          max-bytes: 1_000_000
          max-depth: 100
        audit:
          source: {rabbitmq: {uri: amqp://localhost, queue: 123, topology: auto, exclusive: true}}
          key: /id
          dead-letter: audit.dead
          event-time: "header:created"
          effect: select audit(:acklast.payload)
      """;

  @TempDir Path folder;

  @Test
  void everyKeyIsRead() {
    RunnerConfig config = ConfigFile.load(folder, FULL);
    DatabaseConfig database = config.database();
    assertThat(database.password()).isEqualTo("a${b}SECRET-4711");
    assertThat(database.schema()).isEqualTo("acklast");
    assertThat(database.createTables()).isFalse();
    assertThat(database.poolSize()).isEqualTo(40);
    assertThat(database.toString()).doesNotContain("SECRET").doesNotContain("shop");
    assertThat(config.consumers())
        .extracting(ConsumerConfig::name)
        .containsExactly("commissions", "audit");
    ConsumerConfig commissions = config.consumers().get(0);
    assertThat(commissions.lanes()).isEqualTo(8);
    assertThat(commissions.drain()).isEqualTo(Duration.ofSeconds(20));
    assertThat(commissions.source().name()).isEqualTo("rabbitmq:sales,refunds");
    assertThat(commissions.source().capabilities().order())
        .isEqualTo(Capabilities.Order.ON_REQUEST);
    assertThat(commissions.source().capabilities().nativeRetry()).isFalse();
    assertThat(commissions.statements()).hasSize(2);
    ConsumerConfig audit = config.consumers().get(1);
    assertThat(audit.source().name()).isEqualTo("rabbitmq:123");
    assertThat(audit.lanes()).isEqualTo(4);
    assertThat(audit.drain()).isEqualTo(Duration.ofSeconds(25));
    try (var pool = Pool.of(database)) {
      assertThatCode(() -> ConsumerGroup.build(config.consumers(), pool, new Tally()))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void thePoolHasOneConnectionForEachLaneAndTwoMore() {
    assertThat(ConfigFile.load(folder, FULL.replace("  pool-size: 40\n", "")).database().poolSize())
        .isEqualTo(14);
  }

  @ParameterizedTest
  @CsvSource({
    "500ms,500",
    "30s,30000",
    "5m,300000",
    "12h,43200000",
    "90d,7776000000",
    "PT30S,30000",
    "PT1H30M,5400000",
    "0s,0",
    "30 s,30000"
  })
  void durationsAreReadAsPeopleWriteThem(String text, long millis) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30", "s", "1.5s", "-", "1w", "9999999999999s", "PT", "5 minutes"})
  void otherTextsAreNoDurations(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no duration");
  }
}
