package dev.acklast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.ConsumerBuilder;
import dev.acklast.IdempotentConsumer;
import dev.acklast.Key;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.SettleResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Section <em>delivery</em>: what was sent arrives as it was sent, and no more of it than wanted.
 */
interface DeliveryContract extends Section {
  @DeliveryCase
  default void bodyBytesArriveAsSent() {
    scene().needs(Ability.BINARY_BODY);
    byte[] body = new byte[256];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) i;
    }
    assertThat(sendAndReceive(Envelope.of("?", body)).body()).isEqualTo(body);
  }

  @DeliveryCase
  default void unicodeBodyArrivesAsSent() {
    byte[] body = "Größe — 尺寸 — 🧾 — \u0000 — \r\n".getBytes(StandardCharsets.UTF_8);
    if (!scene().broker.abilities().has(Ability.BINARY_BODY)) {
      body = "Größe — 尺寸 — 🧾 — \r\n".getBytes(StandardCharsets.UTF_8);
    }
    assertThat(sendAndReceive(Envelope.of("?", body)).body()).isEqualTo(body);
  }

  @DeliveryCase
  default void emptyBodyArrives() {
    scene().needs(Ability.EMPTY_BODY);
    assertThat(sendAndReceive(Envelope.of("?", new byte[0])).body()).isEmpty();
  }

  @DeliveryCase
  default void largestBodyArrives() {
    byte[] body = new byte[Math.min(1 << 20, scene().broker.abilities().largestBody())];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) ('a' + i % 23);
    }
    assertThat(sendAndReceive(Envelope.of("?", body)).body()).isEqualTo(body);
  }

  @DeliveryCase
  default void textHeadersArriveAsSent() {
    Map<String, Object> headers = new LinkedHashMap<>();
    headers.put("plain", "value");
    headers.put("unicode", "Größe 尺寸 🧾");
    headers.put("quotes-and-breaks", "a \"quoted\" 'text'\twith\\escapes");
    headers.put("long", "x".repeat(5000));
    headers.put("number-as-text", "0042");
    assertThat(sendAndReceive(textMessage().headers(headers)).headers())
        .containsAllEntriesOf(headers);
  }

  @DeliveryCase
  default void typedHeadersArriveAsSent() {
    scene().needs(Ability.TYPED_HEADERS);
    Envelope seen =
        sendAndReceive(
            textMessage()
                .headers(
                    Map.of("order-id", 42L, "largest", Long.MAX_VALUE, "flag", true, "empty", "")));
    assertThat(seen.header("order-id")).isEqualTo("42");
    assertThat(seen.header("largest")).isEqualTo(String.valueOf(Long.MAX_VALUE));
    assertThat(seen.header("flag")).isEqualTo("true");
    assertThat(seen.header("empty")).isEmpty();
  }

  @DeliveryCase
  default void messageIdContentTypeAndTimestampArriveAsSent() {
    Instant sent = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Envelope message =
        textMessage().contentType("application/vnd.shop+json").timestamp(sent).build();
    Envelope seen = sendAndReceive(message);
    assertThat(seen.contentType()).isEqualTo("application/vnd.shop+json");
    assertThat(seen.timestamp()).isNotNull();
    assertThat(Duration.between(sent, seen.timestamp()).abs()).isLessThan(Duration.ofSeconds(30));
    if (scene().broker.abilities().has(Ability.MESSAGE_ID)) {
      assertThat(seen.messageId()).isNotBlank();
    }
  }

  @DeliveryCase
  default void orderingKeyArrivesAsSent() {
    scene().needs(Ability.ORDERING_KEY);
    assertThat(sendAndReceive(textMessage().orderingKey("customer-7")).orderingKey())
        .isEqualTo("customer-7");
  }

  @DeliveryCase
  default void neverMoreThanPrefetchAreUnsettled() {
    Gate gate = new Gate();
    scene().broker.publish(scene().queue, Orders.orders("p", 30));
    scene().start(gated(gate).prefetch(5).concurrency(4));
    scene().await("a full prefetch").until(() -> scene().journal.count(Event.RECEIVED) == 5);
    scene().await("5 unsettled").until(() -> scene().broker.unsettled(scene().queue) == 5);
    scene()
        .await("no more than 5")
        .during(Duration.ofMillis(500))
        .until(() -> scene().journal.count(Event.RECEIVED) == 5);
    gate.open();
    scene().awaitEffects(30);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(30);
  }

  @DeliveryCase
  default void prefetchOfOneWorks() {
    scene().broker.publish(scene().queue, Orders.orders("one", 20));
    scene().start(scene().consumer().prefetch(1).apply(Scene.inserting()));
    scene().awaitEffects(20);
    scene().awaitEmptySource();
    assertThat(scene().database.distinctEffects()).isEqualTo(20);
  }

  @DeliveryCase
  default void eachSettleMakesRoomForOneMore() {
    scene().broker.publish(scene().queue, Orders.orders("room", 8));
    try (SpiConsumer consumer =
        new SpiConsumer(scene().broker.source(scene().queue), 3, scene().deadLetterQueue)) {
      for (int settled = 0; settled < 5; settled++) {
        int expected = settled + 3;
        scene().await(expected + " deliveries").until(() -> consumer.size() == expected);
        scene()
            .await("no more than " + expected)
            .during(Duration.ofMillis(200))
            .until(() -> consumer.size() == expected);
        assertThat(SpiConsumer.status(consumer.deliveries().get(settled).acker().ack()))
            .isEqualTo(SettleResult.Status.DONE);
      }
    }
  }

  @DeliveryCase
  default void nextMessageFlowsAsSoonAsOneSettles() {
    Gate gate = new Gate();
    scene().publish("held");
    scene()
        .start(
            scene()
                .consumer()
                .prefetch(2)
                .concurrency(2)
                .batchSize(1)
                .apply(
                    (order, tx) -> {
                      if (tx.key().equals("held")) {
                        gate.pass();
                      }
                      TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
                    }));
    scene().await("the held one runs").until(() -> gate.arrivals() == 1);
    scene().broker.publish(scene().queue, Orders.orders("next", 10));
    scene().awaitEffects(10);
    assertThat(scene().database.effects("held")).isZero();
    gate.open();
    scene().awaitEffects(11);
    scene().awaitEmptySource();
  }

  @DeliveryCase
  default void manyMessagesThroughSeveralInstancesTakeEffectOnce() {
    int messages = scene().broker.many();
    scene().broker.publish(scene().queue, Orders.orders("many", messages));
    for (int i = 0; i < 3; i++) {
      scene().startInserting();
    }
    scene().awaitEffects(messages);
    scene().awaitEmptySource();
    assertThat(scene().database.effects()).isEqualTo(messages);
    assertThat(scene().database.distinctEffects()).isEqualTo(messages);
    assertThat(scene().deadLetters()).isEmpty();
  }

  @DeliveryCase
  default void stuckSubscriptionDoesNotStarveAnother() {
    Gate gate = new Gate();
    String other = scene().freshName();
    scene().broker.createQueue(other);
    scene().broker.publish(scene().queue, Orders.orders("stuck", 20));
    scene().start(gated(gate).prefetch(5).concurrency(4));
    scene().await("the first is stuck").until(() -> scene().journal.count(Event.RECEIVED) == 5);
    scene().broker.publish(other, Orders.orders("free", 50));
    scene()
        .start(
            IdempotentConsumer.<com.fasterxml.jackson.databind.JsonNode>named("other")
                .source(scene().broker.source(other))
                .decode(Orders::decode)
                .key(Orders::id)
                .database(scene().database.pool())
                .apply(Scene.inserting()));
    scene().awaitEffects(50);
    gate.open();
    scene().awaitEffects(70);
  }

  private ConsumerBuilder<?> gated(Gate gate) {
    return scene()
        .consumer()
        .apply(
            (order, tx) -> {
              gate.pass();
              TestDatabase.insertEffect(tx.handle(), tx.key(), tx.attempt());
            });
  }

  private static Envelope.Builder textMessage() {
    return Envelope.of("?", Orders.body("1")).messageId("m-1");
  }

  private Envelope sendAndReceive(Envelope.Builder message) {
    return sendAndReceive(message.build());
  }

  /**
   * What a handler sees of a message; its key stands in for the one that some bodies do not have.
   */
  private Envelope sendAndReceive(Envelope message) {
    LinkedBlockingQueue<Envelope> seen = new LinkedBlockingQueue<>();
    scene()
        .start(
            IdempotentConsumer.<Envelope>named("envelopes")
                .source(scene().broker.source(scene().queue))
                .decode(envelope -> envelope)
                .key(Key.from(envelope -> "the-one"))
                .database(scene().database.pool())
                .deadLetterTo(scene().deadLetterQueue)
                .drainTimeout(Duration.ofSeconds(5))
                .apply((envelope, tx) -> seen.add(envelope)));
    scene().broker.publish(scene().queue, List.of(message));
    try {
      Envelope first = seen.poll(scene().broker.patience().toMillis(), TimeUnit.MILLISECONDS);
      assertThat(first).as("the message").isNotNull();
      return java.util.Objects.requireNonNull(first);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
