package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Json;
import dev.acklast.metrics.AcklastMetrics;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Envelope;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What payloads hold stays in payloads. */
@Tag("E11")
class SecretTest {
  private static final String SECRET = "SECRET-4711";
  private static final String LEFT_AS_IT_IS = "broken-{0}";

  @RegisterExtension private final Stage stage = new Stage();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void payloadsAppearInNoLogHeaderLedgerMetricOrHealth() {
    stage.database.execute("create table secret(text text primary key, n int)");
    stage.database.execute("insert into secret values (?, 1)", SECRET);
    try (Logs all = new Logs("ROOT", Level.DEBUG)) {
      IdempotentConsumer consumer =
          stage.start(
              stage
                  .consumer()
                  .decode(Json.tree().maxBytes(1000))
                  .maxAttempts(2)
                  .backoff(dev.acklast.Backoff.fixed(Duration.ofMillis(50)))
                  .listener(new AcklastMetrics(registry))
                  .apply(
                      (order, tx) -> {
                        String text = order.path("text").asText();
                        switch (tx.key()) {
                          case "unique" ->
                              tx.handle().execute("insert into secret values (?, 2)", text);
                          case "cast" ->
                              tx.handle().execute("insert into secret values ('x', ?::int)", text);
                          case "rethrown" -> {
                            try {
                              tx.connection()
                                  .createStatement()
                                  .execute("insert into secret values ('" + text + "', 2)");
                            } catch (java.sql.SQLException e) {
                              throw new IllegalStateException(e);
                            }
                          }
                          case "batch" -> {
                            try (var statement =
                                tx.connection()
                                    .prepareStatement("insert into secret values (?, 3)")) {
                              statement.setString(1, text);
                              statement.addBatch();
                              statement.executeBatch();
                            }
                          }
                          case "json" -> new ObjectMapper().readTree("{\"a\": " + text);
                          case "wrapped" -> {
                            try {
                              tx.handle().execute("insert into secret values (?, 2)", text);
                            } catch (RuntimeException e) {
                              throw new IllegalStateException("not stored: " + e.getMessage(), e);
                            }
                          }
                          default -> Stage.inserting().apply(order, tx);
                        }
                      }));
      for (String id :
          List.of("unique", "cast", "batch", "json", "wrapped", "rethrown", "good", "good")) {
        send("{\"orderId\":\"" + id + "\",\"text\":\"" + SECRET + "\"}");
      }
      send("{\"orderId\": " + SECRET);
      send("{\"text\":\"" + SECRET + "\"}");
      send(SECRET + LEFT_AS_IT_IS);
      send("{\"orderId\":\"large\",\"text\":\"" + SECRET.repeat(200) + "\"}");
      send("{\"orderId\":{\"" + SECRET + "\":1}}");
      stage.awaitEffects(1);
      stage.awaitDead(11);
      stage.awaitEmptySource();

      assertThat(consumer.health().toString()).doesNotContain(SECRET);
      assertThat(all.lines()).noneMatch(line -> line.contains(SECRET));
      assertThat(stage.logs.lines()).isNotEmpty().noneMatch(line -> line.contains(SECRET));
    }
    assertThat(stage.dead())
        .hasSize(11)
        .allSatisfy(
            letter -> {
              assertThat(String.valueOf(letter.header(DeathReport.HEADER))).doesNotContain(SECRET);
              assertThat(new String(letter.body(), java.nio.charset.StandardCharsets.UTF_8))
                  .contains(SECRET);
              assertThat(letter.toString()).doesNotContain(SECRET);
            });
    assertThat(stage.database.column("select a::text from acklast_attempt a"))
        .isNotEmpty()
        .noneMatch(row -> row.contains(SECRET));
    assertThat(registry.getMetersAsString()).contains("acklast").doesNotContain(SECRET);
  }

  private void send(String body) {
    Envelope message = Stage.envelope(body, "m-" + body.hashCode());
    stage.broker.publish(Stage.QUEUE, message);
  }
}
