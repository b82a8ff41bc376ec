package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.servers.RequestFault;
import dev.acklast.servers.TcpProxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits that get lost, or whose answers do, in the middle of a load in batches. */
class CommitFaultTest {
  @RegisterExtension private final Stage stage = new Stage();

  @ParameterizedTest
  @Tag("D07")
  @EnumSource(RequestFault.class)
  void commitsThatGoMissingLeaveOneEffectEachAndCountAgainstNobody(RequestFault fault)
      throws Exception {
    TcpProxy proxy = stage.database.proxy();
    stage.start(
        stage
            .consumer()
            .database(stage.database.pool(proxy, 8))
            .concurrency(2)
            .apply(Stage.inserting()));
    stage.publish("first");
    stage.awaitEffects(1);
    for (int i = 1; i <= 5; i++) {
      var made = proxy.onCommit(fault);
      stage.publishMany("load-" + i, 100);
      made.get(30, TimeUnit.SECONDS);
    }
    stage.awaitEffects(501);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(501);
    assertThat(stage.database.distinctEffects()).isEqualTo(501);
    assertThat(stage.database.claims()).isEqualTo(501);
    assertThat(stage.dead()).isEqualTo(List.of());
    assertThat(stage.heard.all("failed")).isZero();
  }
}
