package dev.acklast.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records on their way in, and on their way to the dead-letter topic. */
class RecordsTest {
  private static final byte[] BINARY = {(byte) 0xff, 0, 1, (byte) 0xfe};

  private final Rig rig = Rig.withTopic(3);

  @AfterEach
  void close() {
    rig.close();
  }

  private static DeathReport report() {
    return new DeathReport(
        "id-1", "INVALID", 1, null, null, "s", "p", "c", null, Instant.ofEpochSecond(1));
  }

  private SettleResult bury(Heard heard, int number) {
    return heard
        .all()
        .get(number)
        .acker()
        .deadLetter(report())
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  @Test
  @Tag("C01")
  @Tag("C19")
  @Tag("C20")
  void bytesHeadersAndTimeArriveAndDieAsTheyWere() {
    ProducerRecord<byte[], byte[]> sent =
        new ProducerRecord<>(rig.topic, 2, 1_700_000_000_000L, BINARY, BINARY);
    sent.headers()
        .add("attempts", "1".getBytes(UTF_8))
        .add("none", null)
        .add("attempts", "2".getBytes(UTF_8))
        .add("number", new byte[] {0, 0, 0, 5})
        .add("broken", BINARY)
        .add("content-type", "application/json".getBytes(UTF_8))
        .add(DeathReport.HEADER, "old".getBytes(UTF_8));
    rig.send(sent);
    Heard heard = new Heard();
    // deserializers of the user's that would fail, and that need not even exist
    rig.start(
        rig.source(Map.of("value.deserializer", "com.example.Missing", "schema.registry.url", "x")),
        5,
        heard);
    heard.awaitCount(1);
    Envelope envelope = heard.all().get(0).envelope();
    assertThat(envelope.body()).isEqualTo(BINARY);
    assertThat(envelope.position()).isEqualTo("2:0");
    assertThat(envelope.timestamp()).isEqualTo(Instant.ofEpochMilli(1_700_000_000_000L));
    assertThat(envelope.contentType()).isEqualTo("application/json");
    assertThat(envelope.recordKey()).isNull();
    assertThat(envelope.header("attempts")).isEqualTo("2");
    assertThat(envelope.header("number")).isNull();
    assertThat(envelope.headers()).containsEntry("none", null).containsEntry("broken", BINARY);

    assertThat(bury(heard, 0).isDone()).isTrue();
    ConsumerRecord<byte[], byte[]> letter = rig.records(rig.topic + ".dlq").get(0);
    assertThat(letter.key()).isEqualTo(BINARY);
    assertThat(letter.value()).isEqualTo(BINARY);
    assertThat(letter.timestamp()).isEqualTo(1_700_000_000_000L);
    List<Header> expected = new ArrayList<>(List.of(sent.headers().toArray()));
    expected.remove(expected.size() - 1);
    List<Header> found = new ArrayList<>(List.of(letter.headers().toArray()));
    Header death = found.remove(found.size() - 1);
    assertThat(found).isEqualTo(expected);
    assertThat(death.key()).isEqualTo(DeathReport.HEADER);
    assertThat(new String(death.value(), UTF_8)).contains("id-1");
  }

  @Test
  @Tag("C03")
  void existingDeadLetterTopicWithFewerPartitionsIsUsedAsItIs() {
    rig.create("graves-" + rig.topic, 1, Map.of("retention.ms", "3600000"));
    rig.send(new ProducerRecord<>(rig.topic, 2, null, null, "a".getBytes(UTF_8)));
    Heard heard = new Heard();
    Subscription subscription =
        rig.source()
            .subscribe(
                new SourceSettings("t", 5, "graves-" + rig.topic, Duration.ofMinutes(1), false),
                heard);
    subscription.start();
    heard.awaitCount(1);
    assertThat(bury(heard, 0).isDone()).isTrue();
    Rig.stop(subscription);
    List<ConsumerRecord<byte[], byte[]>> letters = rig.records("graves-" + rig.topic);
    assertThat(letters).hasSize(1);
    assertThat(letters.get(0).key()).isNull();
    assertThat(heard.facts().warnings()).singleElement().asString().contains("retention.ms");
    assertThat(heard.facts().retention()).isEqualTo(Duration.ofDays(7));
  }

  @Test
  @Tag("C04")
  @Tag("C21")
  void deadLetterThatIsRefusedIsAnsweredWithWhatToDoAndHealsByItself() {
    rig.create(rig.topic + ".dlq", 1, Map.of("max.message.bytes", "100"));
    rig.send(1, "a".repeat(50));
    Heard heard = new Heard();
    rig.start(rig.source(), 5, heard);
    heard.awaitCount(1);
    SettleResult refused = bury(heard, 0);
    assertThat(refused.status()).isEqualTo(SettleResult.Status.FAILED);
    assertThat(refused.reason()).contains("max.message.bytes", rig.topic + ".dlq");
    Rig.got(() -> rig.admin.deleteTopics(List.of(rig.topic + ".dlq")).all().get());
    Rig.await("a topic that is made anew").until(() -> bury(heard, 0).isDone());
    assertThat(heard.all().get(0).acker().ack().toCompletableFuture().join().isDone()).isTrue();
    rig.awaitOffset(1, 1);
  }

  @Test
  void missingDeadLetterTopicThatMayNotBeCreatedHoldsUpTheStartAndIsNamed() {
    Heard heard = new Heard();
    Subscription subscription = rig.start(rig.source().topologyNone(), 5, heard);
    Rig.await("its name")
        .until(() -> subscription.health().reasons().toString().contains(rig.topic + ".dlq"));
    assertThat(subscription.health().status()).isEqualTo(Health.Status.DOWN);
    rig.create(rig.topic + ".dlq", 1, Map.of());
    Rig.await("health").until(() -> subscription.health().equals(Health.up()));
  }

  @Test
  @Tag("C13")
  void tombstonesAreToBeSkippedUnlessTheUserWantsThem() {
    byte[] key = "k".getBytes(UTF_8);
    rig.send(new ProducerRecord<>(rig.topic, 0, null, key, (byte[]) null));
    Heard skipping = Heard.acking();
    Subscription subscription = rig.start(rig.source(), 5, skipping);
    skipping.awaitCount(1);
    assertThat(skipping.all().get(0).envelope().isToSkip()).isTrue();
    rig.awaitOffset(0, 1);
    Rig.stop(subscription);
    Heard taking = new Heard();
    rig.start(rig.source().group(rig.group + "-2").deliverTombstones(), 5, taking);
    taking.awaitCount(1);
    assertThat(taking.all().get(0).envelope().isToSkip()).isFalse();
    assertThat(taking.all().get(0).envelope().recordKey()).isEqualTo("k");
    assertThat(bury(taking, 0).isDone()).isTrue();
    assertThat(rig.records(rig.topic + ".dlq").get(0).value()).isNull();
  }

  @Test
  void severalTopicsAreReadAndAMissingOneIsNamedUntilItIsThere() {
    String other = rig.topic + "-other";
    KafkaSource both = KafkaSource.topics(rig.config(), rig.topic, other).group(rig.group);
    Heard heard = Heard.acking();
    Subscription subscription = rig.start(both, 5, heard);
    rig.send(0, "one");
    heard.awaitCount(1);
    assertThat(subscription.health().status()).isEqualTo(Health.Status.DEGRADED);
    assertThat(subscription.health().reasons().toString()).contains(other);
    rig.create(other, 1, Map.of());
    rig.send(new ProducerRecord<>(other, 0, null, "two".getBytes(UTF_8)));
    heard.awaitCount(2);
    Rig.await("health").until(() -> subscription.health().equals(Health.up()));
    assertThat(heard.of("two").envelope().source()).isEqualTo(other);
  }

  @Test
  void holdsNoMoreBytesThanAllowedAndGoesOnAsTheySettle() {
    String large = "x".repeat(100_000);
    for (int i = 0; i < 20; i++) {
      rig.send(0, i + large);
    }
    Heard heard = new Heard();
    rig.start(rig.source(Map.of("max.poll.records", 1)).heldBytes(300_000), 50, heard);
    heard.awaitCount(3);
    Rig.await("no more").during(Duration.ofSeconds(1)).until(() -> heard.all().size() == 3);
    heard.reacting(delivery -> delivery.acker().ack());
    heard.all().forEach(delivery -> delivery.acker().ack());
    heard.awaitCount(20);
    rig.awaitOffset(0, 20);
  }

  @Test
  void whatCannotWorkIsRefusedBeforeItStarts() {
    SourceSettings settings = new SourceSettings("t", 5, rig.topic, Duration.ofMinutes(1), false);
    assertThatThrownBy(() -> rig.source().subscribe(settings, new Heard()))
        .hasMessageContaining("is a source itself");
    assertThatThrownBy(() -> KafkaSource.topics(Map.of(), "a"))
        .hasMessageContaining("bootstrap.servers");
    assertThatThrownBy(() -> KafkaSource.topics(rig.config(), "a b")).hasMessageContaining("a b");
    assertThatThrownBy(
            () ->
                KafkaSource.topics(rig.config(), "a")
                    .subscribe(
                        new SourceSettings("t", 5, null, Duration.ofMinutes(1), false),
                        new Heard()))
        .hasMessageContaining("group.id");
    assertThatThrownBy(() -> rig.source().span(0)).hasMessageContaining("span");
  }
}
