package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.ConsumerBuilder;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Envelope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Section <em>settling</em>: dead letters arrive whole, or the message stays where it was. */
interface DeadLetterContract extends Section {
  @SettlingCase
  @Tag("C20")
  default void deadLetterKeepsBodyAndHeadersAndGainsOne() {
    Envelope sent =
        Envelope.of(
                "?",
                "{\"orderId\": \"poison\" ,  \"note\":\"Größe\"}\n"
                    .getBytes(StandardCharsets.UTF_8))
            .messageId("m-poison")
            .contentType("application/json")
            .headers(Map.of("tenant", "Größe 7", "trace", "abc"))
            .build();
    scene().start(poisoned(new AtomicInteger()));
    scene().publish(sent);
    Envelope dead = scene().awaitDeadLetters(1).get(0);
    assertThat(dead.body()).isEqualTo(sent.body());
    assertThat(dead.headers()).containsAllEntriesOf(sent.headers());
    assertThat(dead.headers().keySet().stream().filter(name -> name.startsWith("acklast")))
        .containsExactly(DeathReport.HEADER);
    assertThat(dead.contentType()).isEqualTo(sent.contentType());
    scene().awaitEmptySource();
    assertThat(scene().deadLetters()).hasSize(1);
  }

  @SettlingCase
  @Tag("E11")
  default void deathTellsReasonAttemptsKeyAndNoPayload() {
    scene().start(poisoned(new AtomicInteger()));
    scene()
        .publish(
            Envelope.of(
                    "?",
                    "{\"orderId\":\"poison\",\"card\":\"SECRET-4711\"}"
                        .getBytes(StandardCharsets.UTF_8))
                .messageId("m-1")
                .build());
    Envelope dead = scene().awaitDeadLetters(1).get(0);
    JsonNode death = Orders.death(dead);
    assertThat(death.path("reason").asText()).isEqualTo("MAX_ATTEMPTS");
    assertThat(death.path("attempts").asInt()).isEqualTo(Scene.MAX_ATTEMPTS);
    assertThat(death.path("exception").asText()).contains("IllegalStateException");
    assertThat(death.path("key").asText()).isEqualTo("poison");
    assertThat(death.path("consumer").asText()).isEqualTo("orders");
    assertThat(death.path("source").asText()).isEqualTo(scene().queue);
    assertThat(death.path("id").asText()).isNotBlank();
    assertThat(dead.headers().toString()).doesNotContain("SECRET-4711");
  }

  @SettlingCase
  @Tag("F02")
  default void undecodableMessageIsDeadLetteredAtOnceAndUnchanged() {
    byte[] body = "{ref: \"XYZ\"}".getBytes(StandardCharsets.UTF_8);
    scene().startInserting();
    scene().publish(Envelope.of("?", body).messageId("m-bad").build());
    scene().broker.publish(scene().queue, Orders.orders("healthy", 5));
    Envelope dead = scene().awaitDeadLetters(1).get(0);
    assertThat(dead.body()).isEqualTo(body);
    assertThat(Orders.death(dead).path("reason").asText()).isEqualTo("INVALID");
    assertThat(Orders.death(dead).path("attempts").asInt()).isZero();
    scene().awaitEffects(5);
    scene().awaitEmptySource();
  }

  @ParameterizedTest
  @Tag("settling")
  @Tag("A08")
  @Tag("A09")
  @Tag("A10")
  @EnumSource(DeadLetterFault.class)
  default void faultyDeadLetterQueueLosesNothingAndHeals(DeadLetterFault fault) {
    scene().needs(fault.needed());
    AtomicInteger runs = new AtomicInteger();
    scene().start(breakingInTheLastRun(runs, fault));
    // A first death shows that the queue is there and in use before it breaks.
    scene().publish("poison-first");
    scene().awaitDeadLetters(1);
    scene().awaitEmptySource();
    scene().publish("poison");
    try {
      scene().await("all its runs").until(() -> runs.get() == Scene.MAX_ATTEMPTS);
      scene().awaitEffects(20);
      scene()
          .await("not run again")
          .during(Duration.ofSeconds(2))
          .until(() -> runs.get() == Scene.MAX_ATTEMPTS);
      scene().await("the poison kept").until(() -> scene().left(scene().queue) == 1);
    } finally {
      scene().broker.mendDeadLetter(scene().deadLetterQueue, fault);
    }
    scene().await("its dead letter").until(() -> !deathsOf("poison").isEmpty());
    scene().awaitEmptySource();
    assertThat(runs.get()).isEqualTo(Scene.MAX_ATTEMPTS);
    assertThat(deathsOf("poison").stream().map(death -> death.path("id").asText()).distinct())
        .hasSize(1);
    assertThat(scene().database.effects()).isEqualTo(20);
  }

  /**
   * The queue breaks after the last retry was sent, as some faults would stop retries too; and the
   * healthy messages that are to pass meanwhile are there before, as some would stop them.
   */
  private ConsumerBuilder<?> breakingInTheLastRun(AtomicInteger runs, DeadLetterFault fault) {
    return scene()
        .consumer()
        .concurrency(1)
        .apply(
            (order, tx) -> {
              if (tx.key().equals("poison") && runs.incrementAndGet() == Scene.MAX_ATTEMPTS) {
                scene().broker.publish(scene().queue, Orders.orders("healthy", 20));
                scene().broker.breakDeadLetter(scene().deadLetterQueue, fault);
              }
              if (tx.key().startsWith("poison")) {
                throw new IllegalStateException("poisoned");
              }
              TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
            });
  }

  @SettlingCase
  default void sourceKeepsTheMessageUntilItsDeathIsConfirmed() {
    Gate gate = new Gate();
    StepListener holding =
        (event, key) -> {
          if (event == Event.DEAD_LETTERED) {
            gate.pass();
          }
        };
    scene().start(poisoned(new AtomicInteger()).listener(holding));
    scene().publish("poison");
    scene().await("the death").until(() -> gate.arrivals() == 1);
    assertThat(scene().deadLetters()).hasSize(1);
    scene().await("kept").until(() -> scene().broker.unsettled(scene().queue) == 1);
    gate.open();
    scene().awaitEmptySource();
    assertThat(scene().deadLetters()).hasSize(1);
  }

  @SettlingCase
  default void manyDeathsArriveOnceEach() {
    scene().broker.publish(scene().queue, Orders.orders("poison", 30));
    scene().start(poisoned(new AtomicInteger()));
    List<Envelope> dead = scene().awaitDeadLetters(30);
    scene().awaitEmptySource();
    assertThat(dead.stream().map(letter -> Orders.death(letter).path("key").asText()).distinct())
        .hasSize(30);
    assertThat(scene().deadLetters()).hasSize(30);
    assertThat(scene().database.effects()).isZero();
  }

  private List<JsonNode> deathsOf(String key) {
    List<JsonNode> deaths = new CopyOnWriteArrayList<>();
    for (Envelope letter : scene().deadLetters()) {
      JsonNode death = Orders.death(letter);
      if (death.path("key").asText().equals(key)) {
        deaths.add(death);
      }
    }
    return deaths;
  }

  /** Messages whose key begins with {@code poison} always fail. */
  private ConsumerBuilder<?> poisoned(AtomicInteger runs) {
    return scene()
        .consumer()
        .apply(
            (order, tx) -> {
              if (tx.key().startsWith("poison")) {
                runs.incrementAndGet();
                throw new IllegalStateException("poisoned");
              }
              TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
            });
  }
}
