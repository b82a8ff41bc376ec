package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.testkit.InMemoryOptions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whose effect it is. */
class ScopeTest {
  @RegisterExtension private final Stage stage = new Stage();

  @Test
  void oneConsumerOfTwoQueuesAppliesAnEventOnce() {
    stage.broker.createQueue("resends");
    stage.start(
        stage
            .consumer()
            .source(stage.broker.source(Stage.QUEUE, "resends"))
            .apply(Stage.inserting()));
    for (int i = 0; i < 50; i++) {
      stage.publish("event-" + i);
      stage.broker.publish("resends", Stage.order("event-" + i));
    }
    Stage.await("all duplicates").until(() -> stage.heard.all("duplicate") == 50);
    assertThat(stage.database.effects()).isEqualTo(50);
    assertThat(stage.database.distinctEffects()).isEqualTo(50);
    assertThat(stage.broker.unsettled("resends") + stage.broker.ready("resends")).isZero();
  }

  @Test
  void twoConsumersOfTwoQueuesInOneScopeApplyAnEventOnce() {
    stage.broker.createQueue("resends");
    stage.start(stage.consumer().scope("commissions").apply(Stage.inserting()));
    stage.start(
        stage
            .consumer("importer", InMemoryOptions.standard())
            .scope("commissions")
            .source(stage.broker.source("resends"))
            .apply(Stage.inserting()));
    for (int i = 0; i < 50; i++) {
      stage.publish("event-" + i);
      stage.broker.publish("resends", Stage.order("event-" + i));
    }
    Stage.await("all duplicates").until(() -> stage.heard.all("duplicate") == 50);
    assertThat(stage.database.effects()).isEqualTo(50);
    assertThat(stage.database.distinctEffects()).isEqualTo(50);
    assertThat(stage.database.column("select distinct scope from acklast_claim"))
        .containsExactly("commissions");
  }

  @Test
  @Tag("D17")
  void twoConsumersWithScopesOfTheirOwnBothApplyAnEvent() {
    stage.broker.createQueue("mail");
    stage.start(stage.consumer("billing", InMemoryOptions.standard()).apply(Stage.inserting()));
    stage.start(
        stage
            .consumer("mail", InMemoryOptions.standard())
            .source(stage.broker.source("mail"))
            .apply(Stage.inserting()));
    stage.publish("event", "event");
    stage.broker.publish("mail", Stage.order("event"));
    stage.awaitEffects(2);
    Stage.await("the copy").until(() -> stage.heard.all("duplicate") == 1);
    assertThat(stage.database.effects("event")).isEqualTo(2);
    assertThat(stage.database.column("select scope from acklast_claim order by 1"))
        .isEqualTo(List.of("billing", "mail"));
  }
}
