package dev.acklast.it;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.acklast.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A JVM whose clock is wrong decides nothing wrongly. */
@Tag("D15")
class ClockTest {
  @RegisterExtension private final Stage stage = new Stage();

  @Test
  void nothingInCoreAsksTheJvmForTheTime() {
    JavaClasses core =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.acklast", "dev.acklast.store", "dev.acklast.spi");
    noClasses()
        .that()
        .resideInAnyPackage("dev.acklast", "dev.acklast.store", "dev.acklast.spi")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Clock.class, "systemUTC")
        .orShould()
        .callMethod(Clock.class, "systemDefaultZone")
        .orShould()
        .dependOnClassesThat(belongToAnyOf(java.util.Date.class))
        .check(core);
  }

  @Test
  void claimsMarksAndDueTimesCarryTheDatabasesTime() {
    String before = now();
    stage.start(
        stage
            .consumer()
            .maxAttempts(2)
            .backoff(Backoff.fixed(Duration.ofMinutes(5)))
            .apply(
                (order, tx) -> {
                  if (tx.key().equals("fails")) {
                    throw new IllegalStateException("fails");
                  }
                  Stage.inserting().apply(order, tx);
                }));
    stage.publish("good", "fails");
    stage.awaitEffects(1);
    Stage.await("a retry").until(() -> stage.heard.count("retried fails") == 1);
    String after = now();
    assertThat(
            stage.database.column(
                "select key from acklast_claim where claimed_at between ?::timestamptz and"
                    + " ?::timestamptz",
                before,
                after))
        .isEqualTo(List.of("good"));
    assertThat(
            stage.database.column(
                "select key from acklast_attempt where not_before - interval '5 min' between"
                    + " ?::timestamptz and ?::timestamptz",
                before,
                after))
        .isEqualTo(List.of("fails"));
  }

  @Test
  void theFirstMessageIsJudgedByTheDatabasesClockAndItsDeathCarriesThatTime() {
    stage.database.execute("create schema ahead");
    stage.database.execute(
        """
        create function ahead.clock_timestamp() returns timestamptz language sql
        as 'select pg_catalog.clock_timestamp() + make_interval(days => 10)'
        """);
    stage.database.execute(
        """
        do $$ begin execute
        format('alter database %I set search_path = public, ahead, pg_catalog', current_database());
        end $$
        """);
    Instant start = Instant.now();
    Instant later = start.plus(Duration.ofDays(9));
    stage.publish("old", "new");
    stage.start(
        stage
            .consumer()
            .retention(Duration.ofDays(5))
            .eventTime(
                (order, sent) -> order.path("orderId").asText().equals("old") ? start : later)
            .apply(Stage.inserting()));
    JsonNode death = Stage.death(stage.awaitDead(1).get(0));
    stage.awaitEffects(1);
    stage.awaitEmptySource();
    assertThat(stage.dead()).hasSize(1);
    assertThat(death.path("reason").asText()).isEqualTo("EXPIRED");
    assertThat(death.path("key").asText()).isEqualTo("old");
    assertThat(Instant.parse(death.path("time").asText())).isAfter(later);
  }

  private String now() {
    return stage.database.column("select clock_timestamp()::text").get(0);
  }
}
