package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.ConsumerBuilder;
import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.testkit.InMemoryOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What core does because a broker has rules of its own: an order always kept, a last delivery. */
class BrokerRuleTest {
  @RegisterExtension private final Stage stage = new Stage();
  private final Map<String, Integer> runs = new ConcurrentHashMap<>();

  @Test
  void orderThatTheBrokerAlwaysKeepsIsKeptUnasked() {
    Capabilities inOrder = new Capabilities(false, Capabilities.Order.ALWAYS);
    stage.start(
        consumer(inOrder, BrokerRuleTest::grouped)
            .maxAttempts(100)
            .apply(
                (payload, tx) -> {
                  if (tx.key().equals("a-0") && !runs.containsKey("b-19")) {
                    throw new IllegalStateException("not before the other line is through");
                  }
                  Stage.inserting().apply(payload, tx);
                  runs.merge(tx.key(), 1, Integer::sum);
                }));
    stage.publishMany("a", 20);
    stage.publishMany("b", 20);
    stage.awaitEffects(40);
    stage.awaitEmptySource();
    List<String> ids = stage.database.column("select id from effect order by place");
    assertThat(ids.stream().filter(id -> id.startsWith("a")))
        .containsExactlyElementsOf(expected("a"));
    assertThat(ids.stream().filter(id -> id.startsWith("b")))
        .containsExactlyElementsOf(expected("b"));
  }

  @Test
  void lastDeliveryIsDeadLetteredInsteadOfRun() {
    startWithLastDeliveries();
    stage.publish("last");
    JsonNode death = Stage.death(stage.awaitDead(1).get(0));
    stage.awaitEmptySource();
    assertThat(death.get("reason").asText()).isEqualTo("DELIVERY_LIMIT");
    assertThat(death.get("attempts").asInt()).isZero();
    assertThat(stage.database.effects()).isZero();
    assertThat(runs).isEmpty();
  }

  @Test
  void markOfASuspectsDecodingDoesNotOutliveItsLastDelivery() {
    startWithLastDeliveries();
    stage.publish("crashed");
    stage.awaitDead(1);
    stage.awaitEmptySource();
    assertThat(stage.database.column("select key from acklast_attempt where run is not null"))
        .isEmpty();
  }

  @Test
  void lastDeliveryOfAnAppliedMessageIsADuplicate() {
    var first = stage.start(stage.consumer().apply(Stage.inserting()));
    stage.publish("twice");
    stage.awaitEffects(1);
    stage.awaitEmptySource();
    first.close();
    startWithLastDeliveries();
    stage.publish("twice");
    Stage.await("a duplicate").until(() -> stage.heard.count("duplicate twice") == 1);
    stage.awaitEmptySource();
    assertThat(stage.dead()).isEmpty();
    assertThat(stage.database.effects()).isEqualTo(1);
  }

  private void startWithLastDeliveries() {
    Capabilities plain = new Capabilities(true, Capabilities.Order.NONE);
    stage.start(
        consumer(plain, BrokerRuleTest::last)
            .apply((payload, tx) -> runs.merge(tx.key(), 1, Integer::sum)));
  }

  private ConsumerBuilder<JsonNode> consumer(
      Capabilities capabilities, UnaryOperator<Envelope> altered) {
    InMemoryOptions options = InMemoryOptions.standard();
    return stage
        .consumer()
        .source(
            new AlteredSource(
                stage.broker.source(
                    capabilities.nativeRetry() ? options : options.withoutNativeRetry().inOrder(),
                    Stage.QUEUE),
                capabilities,
                altered));
  }

  private static List<String> expected(String prefix) {
    return java.util.stream.IntStream.range(0, 20).mapToObj(i -> prefix + "-" + i).toList();
  }

  private static Envelope last(Envelope envelope) {
    return AlteredSource.copy(envelope).hint(RedeliveryHint.SUSPECT).lastDelivery(true).build();
  }

  /** Ids are {@code m-a-0}, {@code m-a-1}, … */
  private static Envelope grouped(Envelope envelope) {
    String group = String.valueOf(envelope.messageId()).substring(0, 3);
    return AlteredSource.copy(envelope).orderingKey(group).build();
  }
}
