package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.Backoff;
import dev.acklast.ConsumerBuilder;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Key;
import dev.acklast.spi.RefusedException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input meets a clear error that says what to do, and loses nothing. */
class BadInputTest {
  @RegisterExtension private final Stage stage = new Stage();

  static Stream<Arguments> limits() {
    return Stream.of(
        limit("concurrency", builder -> builder.concurrency(0)),
        limit("concurrency", builder -> builder.concurrency(-1)),
        limit("prefetch", builder -> builder.prefetch(0)),
        limit("batch-size", builder -> builder.batchSize(-5)),
        limit("max-attempts", builder -> builder.maxAttempts(0)),
        limit("handler-timeout", builder -> builder.handlerTimeout(Duration.ZERO)),
        limit("handler-timeout", builder -> builder.handlerTimeout(Duration.ofSeconds(-1))),
        limit("drain", builder -> builder.drainTimeout(Duration.ofSeconds(-1))),
        limit("retention", builder -> builder.retention(Duration.ZERO)),
        limit("initial-interval", builder -> builder.backoff(Backoff.fixed(Duration.ZERO))),
        limit("scope", builder -> builder.scope(" ")),
        limit("schema", builder -> builder.schema("Robert'); drop table")),
        limit("dead-letter", builder -> builder.deadLetterTo("")),
        limit("", builder -> builder.key(Key.pointer("orderId"))),
        limit("consumer name", builder -> IdempotentConsumer.named("")));
  }

  private static Arguments limit(String named, Consumer<ConsumerBuilder<JsonNode>> setting) {
    return Arguments.of(named, setting);
  }

  @ParameterizedTest(name = "{index}: {0}")
  @MethodSource("limits")
  void settingOutOfItsRangeIsRefusedAtOnceByName(
      String named, Consumer<ConsumerBuilder<JsonNode>> setting) {
    assertThatThrownBy(() -> setting.accept(stage.consumer()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  @Test
  @Tag("D06")
  void poolBelowLanesPlusTwoIsRefusedWithBothNumbers() {
    HikariDataSource pool = stage.database.pool(5);
    assertRefused(stage.consumer().database(pool).concurrency(4), "5", "concurrency 4", "6");
    assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isZero();
  }

  @Test
  void tableOfAnotherShapeIsRefusedByNameOfItsColumn() {
    stage.database.execute(
        "create table acklast_claim(scope text, key varchar(10), primary key (scope, key))");
    assertRefused(stage.consumer(), "acklast_claim", "key");
  }

  @Test
  @Tag("D21")
  void claimTableWithoutItsUniqueIndexIsRefused() {
    stage.start(stage.consumer().apply(Stage.inserting())).close();
    stage.database.execute("alter table acklast_claim drop constraint acklast_claim_pkey");
    assertRefused(stage.consumer(), "acklast_claim", "unique");
  }

  @Test
  void missingTableThatMayNotBeCreatedIsRefusedWithItsSql() {
    assertRefused(stage.consumer().createTables(false), "create table", "acklast_claim");
    stage.publish("kept");
    assertThat(stage.broker.ready(Stage.QUEUE)).isEqualTo(1);
  }

  @Test
  void asynchronousCommitIsRefusedUnlessAccepted() {
    String name = stage.database.column("select current_database()").get(0);
    stage.database.execute("alter database " + name + " set synchronous_commit = off");
    assertRefused(stage.consumer(), "synchronous_commit");
    stage.start(stage.consumer().acceptAsynchronousCommit().apply(Stage.inserting()));
    stage.publish("accepted");
    stage.awaitEffects(1);
  }

  @Test
  void deadLetterQueueThatIsTheSourceIsRefused() {
    assertThatThrownBy(
            () ->
                stage.consumer().deadLetterTo(Stage.QUEUE).apply(Stage.inserting()).build().start())
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining(Stage.QUEUE);
  }

  @Test
  void effectsOfBothKindsOrNoneAreRefused() {
    assertThatThrownBy(() -> stage.consumer().build()).hasMessageContaining("apply");
    assertThatThrownBy(
            () -> stage.consumer().apply(Stage.inserting()).applyAll((messages, tx) -> {}).build())
        .hasMessageContaining("applyAll");
  }

  @Test
  void secondStartIsRefused() {
    IdempotentConsumer consumer = stage.start(stage.consumer().apply(Stage.inserting()));
    assertThatThrownBy(consumer::start).isInstanceOf(IllegalStateException.class);
    consumer.close();
    assertThatThrownBy(consumer::start).isInstanceOf(IllegalStateException.class);
  }

  private void assertRefused(ConsumerBuilder<JsonNode> builder, String... told) {
    IdempotentConsumer consumer = stage.closing(builder.apply(Stage.inserting()).build());
    assertThatThrownBy(consumer::start)
        .isInstanceOf(RefusedException.class)
        .hasMessageContainingAll(told);
  }
}
