package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.AcklastListener;
import dev.acklast.ConsumerBuilder;
import dev.acklast.EffectTransaction;
import dev.acklast.Message;
import dev.acklast.MessageInfo;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a batch sends to the database, counted. */
class BatchTest {
  private static final int WARM_UP = 1_500;

  @RegisterExtension private final Stage stage = new Stage();
  private final Gate gate = new Gate();

  @Test
  void hundredMessagesAreOneClaimAndOneCommit() {
    List<String> sent = sentForHundred(builder -> builder.apply((order, tx) -> {}));
    int batches = batches();
    assertThat(sent).filteredOn(sql -> sql.contains("insert into acklast_claim")).hasSize(batches);
    assertThat(sent).filteredOn(sql -> sql.equals("commit")).hasSize(batches);
    assertThat(sent).hasSize(2 * batches);
  }

  @Test
  void hundredEffectsOfOneStatementAreOneClaimOneEffectAndOneCommit() {
    List<String> sent = sentForHundred(builder -> builder.applyAll(BatchTest::insertAll));
    int batches = batches();
    assertThat(sent).filteredOn(sql -> sql.contains("insert into acklast_claim")).hasSize(batches);
    assertThat(sent).filteredOn(sql -> sql.contains("insert into effect")).hasSize(batches);
    assertThat(sent).filteredOn(sql -> sql.equals("commit")).hasSize(batches);
    assertThat(sent).hasSize(3 * batches);
    assertThat(stage.database.effects()).isEqualTo(WARM_UP + 101);
  }

  private static void insertAll(List<Message<JsonNode>> messages, EffectTransaction tx) {
    tx.handle()
        .execute(
            "insert into effect select unnest(?::text[]), 1",
            (Object) messages.stream().map(Message::key).toArray(String[]::new));
  }

  private List<String> sentForHundred(UnaryOperator<ConsumerBuilder<JsonNode>> effect) {
    CountingSource database = new CountingSource(stage.database.direct());
    warmUp(effect.apply(stage.consumer().database(stage.database.pool(database.dataSource, 4))));
    stage.publishMany("batch", 100);
    awaitInHand(101);
    assertThat(database.taken()).isNotEmpty();
    gate.open();
    stage.awaitEmptySource();
    // One batch, unless the machine is so slow that the handlers' pace splits it.
    assertThat(batches()).isBetween(1, 4);
    return database.taken();
  }

  @Test
  void goodMessagesStillShareTransactionsWhenOneInAHundredFails() {
    warmUp(
        stage
            .consumer()
            .prefetch(1000)
            .apply(
                (order, tx) -> {
                  String id = tx.key();
                  if (id.startsWith("mixed-") && id.endsWith("50")) {
                    throw new IllegalStateException("fails");
                  }
                  Stage.inserting().apply(order, tx);
                }));
    stage.publishMany("mixed", 900);
    awaitInHand(901);
    gate.open();
    stage.awaitDead(9);
    stage.awaitEffects(WARM_UP + 1 + 891);
    stage.awaitEmptySource();

    assertThat(stage.database.effects()).isEqualTo(WARM_UP + 1 + 891);
    assertThat(stage.database.number("select max(n) from effect")).isEqualTo(1);
    // 9 batches of 100 with one failure each: the rest of each goes again as one.
    assertThat(transactionsOf("mixed-%")).isLessThanOrEqualTo(30);
    assertThat(stage.heard.all("failed")).isEqualTo(9 * Stage.MAX_ATTEMPTS);
  }

  @Test
  void slowHandlersKeepTheirConcurrency() {
    stage.publishMany("slow", 40);
    stage.start(
        stage
            .consumer()
            .concurrency(4)
            .apply(
                (order, tx) -> {
                  tx.handle().execute("select pg_sleep(0.1)");
                  Stage.inserting().apply(order, tx);
                }));
    stage.awaitEffects(40);
    assertThat(transactionsOf("slow-%")).isEqualTo(40);
    assertThat(stage.database.claims()).isEqualTo(40);
  }

  /** Lets one lane learn that handlers are quick, and then holds it, outside of a handler. */
  private void warmUp(ConsumerBuilder<JsonNode> builder) {
    if (stage.broker.ready(Stage.QUEUE) == 0) {
      stage.publishMany("warm", WARM_UP);
    }
    stage.start(builder.concurrency(1).listener(new Holding()));
    stage.awaitEmptySource();
    stage.publish("holder");
    Stage.await("the lane is held").until(() -> gate.arrivals() == 1);
  }

  private void awaitInHand(int count) {
    Stage.await(count + " in hand").until(() -> stage.broker.unsettled(Stage.QUEUE) == count);
  }

  private int batches() {
    return stage.database.number(
        "select count(distinct xmin::text) from acklast_claim where key like 'batch-%'");
  }

  private int transactionsOf(String ids) {
    return stage.database.number(
        "select count(distinct xmin::text) from effect where id like ?", ids);
  }

  /** Holds the lane right after a commit. */
  private final class Holding implements AcklastListener {
    @Override
    public void committed(MessageInfo message) {
      if ("holder".equals(message.key())) {
        try {
          gate.pass();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
