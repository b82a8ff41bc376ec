package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Section <em>claims</em>: commits whose answer is lost, and commits that never arrive. */
interface CommitContract extends Section {
  @ParameterizedTest
  @Tag("claims")
  @Tag("D07")
  @EnumSource
  default void commitCutOffIsNeitherLostNorRepeated(PostgresProxy.Cut cut) {
    PostgresProxy proxy = scene().database.proxy();
    scene()
        .start(scene().consumer().database(scene().database.pool(proxy)).apply(Scene.inserting()));
    scene().publish("warm-up");
    scene().awaitEffects(1);
    scene().awaitEmptySource();
    proxy.cut(cut, 3);
    scene().broker.publish(scene().queue, Orders.orders("cut", 20));
    scene().awaitEffects(21);
    scene().awaitEmptySource();
    assertThat(proxy.cutsDone()).isPositive();
    assertThat(scene().database.effects()).isEqualTo(21);
    assertThat(scene().database.distinctEffects()).isEqualTo(21);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @ClaimsCase
  @Tag("D08")
  default void backendEndedBeforeTheCommitLeavesNoClaimAndNoCount() {
    AtomicBoolean ended = new AtomicBoolean();
    scene()
        .start(
            scene()
                .consumer()
                .apply(
                    (order, tx) -> {
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                      if (ended.compareAndSet(false, true)) {
                        scene().database.terminateBackends();
                      }
                    }));
    scene().publish("ended");
    scene().awaitEffects(1);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(1);
    assertThat(scene().database.claims()).isEqualTo(1);
    assertThat(scene().deadLetters()).isEmpty();
  }
}
