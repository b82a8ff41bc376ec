package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.EffectTransaction;
import dev.acklast.FailedMessageException;
import dev.acklast.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Handlers that get a whole batch at once. */
class BatchHandlerTest {
  @RegisterExtension private final Stage stage = new Stage();
  private final List<List<String>> batches = new CopyOnWriteArrayList<>();

  @Test
  void batchHandlerGetsMessagesTogetherInOrderOfArrivalAndWithoutDuplicates() {
    List<String> published = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      published.add("order-" + i);
      stage.publish("order-" + i, "order-" + i / 2);
    }
    stage.start(stage.consumer().concurrency(1).applyAll(this::insertAll));
    stage.awaitEffects(400);
    stage.awaitEmptySource();
    assertThat(batches.stream().flatMap(List::stream)).containsExactlyElementsOf(published);
    assertThat(batches).anyMatch(batch -> batch.size() > 5);
    assertThat(batches).allSatisfy(batch -> assertThat(batch).doesNotHaveDuplicates());
    assertThat(stage.heard.all("duplicate")).isEqualTo(400);
    assertThat(stage.database.effects()).isEqualTo(400);
  }

  @Test
  void messageThatTheHandlerBlamesFailsAloneAndTheOthersRunOn() {
    stage.start(
        stage
            .consumer()
            .concurrency(1)
            .applyAll(
                (messages, tx) -> {
                  insertAll(messages, tx);
                  for (Message<JsonNode> message : messages) {
                    if (message.key().equals("order-70")) {
                      throw new FailedMessageException(
                          message, new IllegalStateException("it is this one"));
                    }
                  }
                }));
    stage.publishMany("order", 150);
    assertBlamed("java.lang.IllegalStateException");
  }

  @Test
  void messageToBlameIsFoundByRunningEachAloneIfTheHandlerDoesNotTell() {
    stage.start(
        stage
            .consumer()
            .concurrency(1)
            .applyAll(
                (messages, tx) -> {
                  insertAll(messages, tx);
                  if (messages.stream().anyMatch(message -> message.key().equals("order-70"))) {
                    throw new IllegalArgumentException("one of them");
                  }
                }));
    stage.publishMany("order", 150);
    assertBlamed("java.lang.IllegalArgumentException");
  }

  private void assertBlamed(String exception) {
    stage.awaitDead(1);
    stage.awaitEffects(149);
    stage.awaitEmptySource();
    assertThat(stage.database.effects()).isEqualTo(149);
    assertThat(stage.database.distinctEffects()).isEqualTo(149);
    assertThat(stage.heard.lines())
        .filteredOn(line -> line.startsWith("failed "))
        .containsExactly("failed order-70 1", "failed order-70 2", "failed order-70 3");
    assertThat(Stage.death(stage.dead().get(0)).path("exception").asText()).isEqualTo(exception);
  }

  @Test
  @Tag("E02")
  void timeoutOfABatchCountsAgainstTheMessageThatOverrunsAlone() {
    IntStream.range(0, 30).forEach(i -> stage.publish("order-" + i));
    stage.start(
        stage
            .consumer()
            .concurrency(1)
            .maxAttempts(2)
            .handlerTimeout(Duration.ofMillis(1500))
            .applyAll(
                (messages, tx) -> {
                  insertAll(messages, tx);
                  if (messages.stream().anyMatch(message -> message.key().equals("order-20"))) {
                    tx.handle().execute("select pg_sleep(60)");
                  }
                }));
    stage.awaitDead(1);
    stage.awaitEffects(29);
    stage.awaitEmptySource();
    assertThat(stage.heard.lines())
        .filteredOn(line -> line.startsWith("failed "))
        .containsExactly("failed order-20 1", "failed order-20 2");
    assertThat(stage.database.effects()).isEqualTo(29);
  }

  private void insertAll(List<Message<JsonNode>> messages, EffectTransaction tx) {
    String[] ids = messages.stream().map(Message::key).toArray(String[]::new);
    batches.add(List.of(ids));
    tx.handle().execute("insert into effect select unnest(?::text[]), 1", (Object) ids);
  }
}
