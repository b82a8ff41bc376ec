package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is decided before a handler runs: filter, age, undecodable. */
class ReadingTest {
  @RegisterExtension private final Stage stage = new Stage();

  @Test
  void filteredMessagesAreAckedAsSkippedAndLeaveNoTrace() {
    stage.start(
        stage
            .consumer()
            .filter((order, envelope) -> !order.path("orderId").asText().startsWith("test-"))
            .apply(Stage.inserting()));
    stage.publish("test-1", "real-1", "test-2", "real-2");
    stage.awaitEffects(2);
    stage.awaitEmptySource();
    Stage.await("both skipped").until(() -> stage.heard.all("skipped") == 2);
    assertThat(stage.database.claims()).isEqualTo(2);
    assertThat(stage.dead()).isEmpty();
    assertThat(stage.database.number("select count(*) from acklast_attempt")).isZero();
  }

  @Test
  void filterThatThrowsMakesItsMessageInvalidAndHoldsUpNobody() {
    stage.start(
        stage
            .consumer()
            .filter(
                (order, envelope) -> {
                  if (order.path("orderId").asText().equals("odd")) {
                    throw new IllegalStateException("SECRET-4711");
                  }
                  return true;
                })
            .apply(Stage.inserting()));
    stage.publish("odd", "even");
    stage.awaitEffects(1);
    assertThat(Stage.death(stage.awaitDead(1).get(0)).path("reason").asText()).isEqualTo("INVALID");
    assertThat(stage.logs.lines()).noneMatch(line -> line.contains("SECRET-4711"));
  }

  @Test
  @Tag("F02")
  void whateverADecoderThrowsMakesItsMessageInvalidAtOnce() {
    Set<String> decoded = new ConcurrentSkipListSet<>();
    stage.start(
        stage
            .consumer()
            .decode(
                envelope -> {
                  String id = String.valueOf(envelope.messageId());
                  decoded.add(id);
                  switch (id) {
                    case "m-null" -> throw new NullPointerException();
                    case "m-assertion" -> throw new AssertionError("not so");
                    case "m-linkage" -> throw new NoClassDefFoundError("gone");
                    case "m-stack" -> throw new StackOverflowError();
                    case "m-own" -> throw new Error("of its own kind");
                    default -> {
                      return dev.acklast.Json.tree().decode(envelope);
                    }
                  }
                })
            .apply(Stage.inserting()));
    stage.publish("null", "assertion", "linkage", "stack", "own");
    stage.publishMany("healthy", 5);
    stage.awaitEffects(5);
    List<String> reasons =
        stage.awaitDead(5).stream()
            .map(dead -> Stage.death(dead).path("reason").asText())
            .distinct()
            .toList();
    stage.awaitEmptySource();
    assertThat(reasons).containsExactly("INVALID");
    assertThat(decoded).hasSize(10);
  }

  @Test
  @Tag("D19")
  void messageOlderThanTheRetentionIsDeadLetteredAsExpired() {
    Instant old = Instant.now().minus(Duration.ofDays(100));
    stage.start(
        stage
            .consumer()
            .eventTime((order, envelope) -> isOld(envelope.messageId()) ? old : Instant.now())
            .apply(Stage.inserting()));
    stage.publish("old", "new");
    stage.awaitEffects(1);
    assertThat(Stage.death(stage.awaitDead(1).get(0)).path("reason").asText()).isEqualTo("EXPIRED");
    stage.awaitEmptySource();
    assertThat(stage.database.column("select id from effect")).containsExactly("new");
  }

  @Test
  @Tag("D19")
  void expiredDuplicateThatIsStillClaimedIsNoDeadLetter() {
    CopyOnWriteArrayList<Instant> times = new CopyOnWriteArrayList<>(List.of(Instant.now()));
    stage.start(
        stage
            .consumer()
            .retention(Duration.ofDays(2))
            .eventTime((order, envelope) -> times.get(0))
            .apply(Stage.inserting()));
    stage.publish("known");
    stage.awaitEffects(1);
    times.set(0, Instant.now().minus(Duration.ofDays(3)));
    stage.publish("known");
    Stage.await("a duplicate").until(() -> stage.heard.all("duplicate") == 1);
    stage.awaitEmptySource();
    assertThat(stage.dead()).isEmpty();
  }

  @Test
  @Tag("D19")
  void expiredMessagesAreAppliedWhereThatIsAllowedOrTheirTimeIsUnknown() {
    stage.start(
        stage
            .consumer()
            .eventTime((order, envelope) -> Instant.EPOCH)
            .allowExpired()
            .apply(Stage.inserting()));
    stage.publish("old");
    stage.awaitEffects(1);
    stage.awaitEmptySource();
    stage.start(
        stage
            .consumer()
            .scope("other")
            .eventTime((order, envelope) -> null)
            .apply(Stage.inserting()));
    stage.publish("timeless");
    stage.awaitEffects(2);
    assertThat(stage.dead()).isEmpty();
  }

  private static boolean isOld(String messageId) {
    return "m-old".equals(messageId);
  }
}
