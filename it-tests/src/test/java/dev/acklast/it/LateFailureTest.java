package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.testkit.InMemoryOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run that fails when its message is another instance's, and applied, leaves nothing behind. */
class LateFailureTest {
  @RegisterExtension private final Stage stage = new Stage();
  private final Gate gate = new Gate();
  private final AtomicBoolean failed = new AtomicBoolean();
  private final CountDownLatch otherIsDone = new CountDownLatch(1);

  @Test
  void failureIsNotCountedOnceAnotherRunHasAppliedTheMessage() {
    var slow =
        stage.start(
            stage
                .consumer("orders", InMemoryOptions.standard())
                .database(withConnectionsOnlyOnceTheOtherIsDone())
                .apply(
                    (order, tx) -> {
                      gate.pass();
                      failed.set(true);
                      throw new IllegalStateException("fails at last");
                    }));
    stage.publish("slow");
    Stage.await("the first run").until(() -> gate.arrivals() == 1);
    slow.pause();
    stage.broker.cutConnections();
    stage.start(stage.consumer().apply(Stage.inserting()));
    Stage.await("the redelivery").until(() -> stage.heard.all("received") == 2);
    gate.open();
    stage.awaitEffects(1);
    stage.awaitEmptySource();
    otherIsDone.countDown();

    Stage.await("the slow run's end").until(() -> stage.heard.count("late slow") == 1);
    assertThat(stage.heard.count("duplicate slow")).isEqualTo(1);
    assertThat(stage.database.number("select count(*) from acklast_attempt")).isZero();
    assertThat(stage.database.effects()).isEqualTo(1);
    assertThat(stage.dead()).isEmpty();
  }

  /** What the failed run does next waits until the other run is through. */
  private DataSource withConnectionsOnlyOnceTheOtherIsDone() {
    DataSource pool = stage.database.pool();
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection") && failed.get()) {
                assertThat(otherIsDone.await(30, TimeUnit.SECONDS)).isTrue();
              }
              try {
                return method.invoke(pool, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
