package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sections <em>settling</em> and <em>counting</em>: a real JVM dies at each step of the path. */
interface ProcessDeathContract extends Section {
  @ParameterizedTest
  @Tag("settling")
  @Tag("D18")
  @EnumSource(
      value = Event.class,
      names = {"RECEIVED", "CLAIMED", "EFFECT_DONE", "COMMITTED", "SETTLED"})
  default void processDeathOnTheWayToAnEffectLosesAndDoublesNothing(Event step) {
    scene().needs(Ability.OUTLIVES_PROCESS);
    prepareRuns();
    scene().broker.publish(scene().queue, Orders.orders("other", 20));
    scene().publish("victim");
    awaitCrash(ChildConsumer.startAndCrash(scene(), step, "victim"));
    goOn();
    scene().await("all effects").until(() -> scene().database.distinctEffects() == 21);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(21);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @ParameterizedTest
  @Tag("settling")
  @EnumSource(
      value = Event.class,
      names = {"ATTEMPT_FAILED", "RETRIED", "DEAD_LETTERED"})
  default void processDeathOnTheWayToADeadLetterLosesNothingAndCountsOnce(Event step) {
    scene().needs(Ability.OUTLIVES_PROCESS);
    prepareRuns();
    scene().broker.publish(scene().queue, Orders.orders("other", 20));
    scene().publish("poison");
    awaitCrash(ChildConsumer.startAndCrash(scene(), step, "poison"));
    goOn();
    scene().awaitDeadLetters(1);
    scene().await("all effects").until(() -> scene().database.distinctEffects() == 20);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(20);
    assertThat(
            scene().deadLetters().stream()
                .map(letter -> Orders.death(letter).path("id").asText())
                .distinct())
        .hasSize(1);
    assertThat(scene().database.number("select count(*) from run where id = 'poison'"))
        .isEqualTo(Scene.MAX_ATTEMPTS);
  }

  @CountingCase
  @Tag("A14")
  default void messageThatKillsTheProcessIsDeadLetteredAndItsNeighboursAreNot() {
    scene().needs(Ability.OUTLIVES_PROCESS);
    prepareRuns();
    scene().broker.publish(scene().queue, Orders.orders("before", 5));
    scene().publish("killer");
    scene().broker.publish(scene().queue, Orders.orders("after", 5));
    int deaths = 0;
    ChildConsumer child = ChildConsumer.start(scene());
    while (scene().deadLetters().isEmpty() && deaths <= Scene.MAX_ATTEMPTS + 2) {
      ChildConsumer current = child;
      scene()
          .await("a death, or the end of the killer")
          .until(() -> !current.isAlive() || !scene().deadLetters().isEmpty());
      if (!current.isAlive()) {
        assertThat(current.crashed()).as(current.log()).isTrue();
        deaths++;
        child = ChildConsumer.start(scene());
      }
    }
    assertThat(deaths).isBetween(1, Scene.MAX_ATTEMPTS + 2);
    scene().awaitEffects(10);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(10);
    assertThat(scene().database.distinctEffects()).isEqualTo(10);
    assertThat(scene().deadLetters()).hasSize(1);
    assertThat(Orders.death(scene().deadLetters().get(0)).path("key").asText()).isEqualTo("killer");
  }

  private void prepareRuns() {
    scene().database.execute("create table run(id text not null)");
  }

  /** The next instance, in this process. */
  private void goOn() {
    scene()
        .start(
            ConsumerProcess.consumer(
                scene().broker.source(scene().queue),
                scene().database.pool(),
                scene().deadLetterQueue));
  }

  private void awaitCrash(ChildConsumer child) {
    scene().await("its death").until(() -> !child.isAlive());
    assertThat(child.crashed()).as(child.log()).isTrue();
  }
}
