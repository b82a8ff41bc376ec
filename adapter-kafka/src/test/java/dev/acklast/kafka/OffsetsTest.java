package dev.acklast.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Health;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult.Status;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is committed, with which note, and what a next owner makes of it. */
class OffsetsTest {
  private final Rig rig = Rig.withTopic(1);

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  @Tag("C07")
  void commitsTheContiguousPrefix() {
    rig.send(0, "a", "b", "c", "d");
    Heard heard = new Heard();
    rig.start(rig.source(), 10, heard);
    heard.awaitCount(4);
    heard.of("b").acker().ack();
    heard.of("d").acker().ack();
    heard.of("a").acker().ack();
    rig.awaitOffset(0, 2);
    assertThat(rig.committed(0))
        .extracting(OffsetAndMetadata::metadata)
        .asString()
        .contains("open");
    heard.of("c").acker().ack();
    rig.awaitOffset(0, 4);
  }

  @ParameterizedTest
  @Tag("C07")
  @ValueSource(strings = {"classic", "consumer"})
  void commitsPastTransactionsMarkersAndAbortedRecords(String protocol) {
    try (KafkaProducer<byte[], byte[]> producer =
        rig.producer(Map.of("transactional.id", rig.topic))) {
      producer.initTransactions();
      for (String text : List.of("a", "b", "c", "d", "aborted")) {
        producer.beginTransaction();
        var unused = producer.send(new ProducerRecord<>(rig.topic, 0, null, text.getBytes(UTF_8)));
        if (text.equals("aborted")) {
          producer.flush();
          producer.abortTransaction();
        } else {
          producer.commitTransaction();
        }
      }
    }
    Heard heard = new Heard();
    Subscription subscription =
        rig.start(rig.source(Map.of("group.protocol", protocol)), 10, heard);
    heard.awaitCount(4);
    for (String text : List.of("a", "b", "d", "c")) {
      assertThat(heard.of(text).acker().ack().toCompletableFuture().join().isDone()).isTrue();
    }
    rig.awaitOffset(0, 10);
    assertThat(subscription.health()).isEqualTo(Health.up());
    assertThat(heard.bodies()).containsExactly("a", "b", "c", "d");
  }

  @Test
  void cleanEndMakesNoSuspects() {
    rig.send(0, "a", "b");
    Heard first = Heard.acking();
    Subscription subscription = rig.start(rig.source(), 10, first);
    first.awaitCount(2);
    Rig.stop(subscription);
    assertThat(rig.offset(0)).isEqualTo(2);
    assertThat(rig.committed(0)).extracting(OffsetAndMetadata::metadata).isEqualTo("acklast clean");
    rig.send(0, "c");
    Heard second = Heard.acking();
    rig.start(rig.source(), 10, second);
    second.awaitCount(1);
    assertThat(second.of("c").envelope().hint()).isEqualTo(RedeliveryHint.FIRST);
  }

  @Test
  void endWithUnsettledRecordsMakesSuspectsOfExactlyThose() {
    rig.send(0, "a", "b", "c", "d");
    Heard first = new Heard();
    Subscription subscription = rig.start(rig.source(), 3, first);
    first.awaitCount(3);
    first.of("a").acker().ack();
    first.awaitCount(4);
    Rig.stop(subscription);
    rig.send(0, "e");
    Heard second = new Heard();
    rig.start(rig.source(), 10, second);
    second.awaitCount(4);
    assertThat(second.bodies()).containsExactly("b", "c", "d", "e");
    assertThat(second.all().stream().map(d -> d.envelope().hint()))
        .containsExactly(
            RedeliveryHint.SUSPECT,
            RedeliveryHint.SUSPECT,
            RedeliveryHint.SUSPECT,
            RedeliveryHint.FIRST);
  }

  @Test
  void crashMakesSuspectsOfTheSpanAndForeignMetadataToo() {
    rig.sendMany("r", 8, 1);
    rig.commit(3, "acklast open until 5");
    Heard afterCrash = new Heard();
    Subscription subscription = rig.start(rig.source(), 10, afterCrash);
    afterCrash.awaitCount(5);
    assertThat(suspects(afterCrash)).containsExactly("r-3", "r-4");
    Rig.stop(subscription);
    rig.commit(4, "somebody else's");
    Heard afterOther = new Heard();
    rig.start(rig.source().span(2), 2, afterOther.reacting(d -> d.acker().ack()));
    afterOther.awaitCount(4);
    assertThat(suspects(afterOther)).containsExactly("r-4", "r-5");
  }

  private static List<String> suspects(Heard heard) {
    return heard.all().stream()
        .filter(delivery -> delivery.envelope().hint() == RedeliveryHint.SUSPECT)
        .map(Heard::text)
        .toList();
  }

  @Test
  @Tag("C10")
  void handsOverNoMoreThanTheSpanPastAnUnsettledRecordAndSaysSo() {
    rig.sendMany("r", 30, 1);
    Heard heard =
        new Heard()
            .reacting(
                delivery -> {
                  if (!Heard.text(delivery).equals("r-2")) {
                    delivery.acker().ack();
                  }
                });
    Subscription subscription = rig.start(rig.source().span(10), 5, heard);
    Rig.await("the bound").until(() -> subscription.health().status() == Health.Status.DEGRADED);
    assertThat(subscription.health().reasons().toString()).contains(rig.topic + "-0", "offset 2");
    assertThat(heard.bodies()).hasSize(12).endsWith("r-11");
    assertThat(rig.offset(0)).isEqualTo(2);
    assertThat(heard.of("r-2").acker().ack().toCompletableFuture().join().status())
        .isEqualTo(Status.DONE);
    heard.awaitCount(30);
    Rig.await("health").until(() -> subscription.health().equals(Health.up()));
    rig.awaitOffset(0, 30);
  }

  @Test
  @Tag("C12")
  void recordsDeletedUnreadStopThePartitionAndTheGapIsNamed() {
    rig.sendMany("r", 20, 1);
    rig.commit(5, "acklast clean");
    deleteBefore(10);
    Heard heard = Heard.acking();
    Subscription subscription = rig.start(rig.source(), 10, heard);
    Rig.await("health that names the gap")
        .until(() -> subscription.health().reasons().toString().contains("offset 5 to 9"));
    assertThat(subscription.health().status()).isEqualTo(Health.Status.DOWN);
    assertThat(heard.all()).isEmpty();
    assertThat(rig.offset(0)).isEqualTo(5);
    Rig.stop(subscription);

    Subscription accepting = rig.start(rig.source().acceptGaps(), 10, heard);
    heard.awaitCount(10);
    assertThat(heard.bodies()).startsWith("r-10").hasSize(10);
    rig.awaitOffset(0, 20);
    assertThat(accepting.health()).isEqualTo(Health.up());
  }

  private void deleteBefore(long offset) {
    Map<TopicPartition, RecordsToDelete> delete =
        Map.of(new TopicPartition(rig.topic, 0), RecordsToDelete.beforeOffset(offset));
    Rig.got(() -> rig.admin.deleteRecords(delete).all().get());
  }

  @Test
  @Tag("C11")
  void groupWithoutOffsetsBeginsWhereTheUserSays() {
    rig.send(0, "old");
    Heard earliest = Heard.acking();
    Subscription first = rig.start(rig.source(), 10, earliest);
    earliest.awaitCount(1);
    assertThat(earliest.of("old").envelope().hint()).isEqualTo(RedeliveryHint.FIRST);
    Rig.stop(first);

    KafkaSource fresh = rig.source(Map.of("auto.offset.reset", "latest")).group(rig.group + "-2");
    Heard latest = Heard.acking();
    Subscription second = rig.start(fresh, 10, latest);
    Rig.await("health").until(() -> second.health().equals(Health.up()));
    Rig.await("the new one")
        .until(
            () -> {
              rig.send(0, "new");
              return !latest.all().isEmpty();
            });
    assertThat(latest.bodies()).containsOnly("new");

    KafkaSource none = rig.source(Map.of("auto.offset.reset", "none")).group(rig.group + "-3");
    Subscription third = rig.start(none, 10, new Heard());
    Rig.await("a reason")
        .until(() -> third.health().reasons().toString().contains("auto.offset.reset"));
  }

  @Test
  @Tag("C11")
  void idleOffsetsAreCommittedAnew() {
    Options options =
        Options.of(List.of(rig.topic), rig.group)
            .withLimits(new Options.Limits(10, 1_000, Duration.ofSeconds(1)));
    TopicPartition partition = new TopicPartition(rig.topic, 0);
    Assignment assignment = new Assignment(partition, options, new Held(1, 1));
    assignment.beginAt(new OffsetAndMetadata(7), 7);
    assignment.open();
    assignment.committed(7);
    assertThat(assignment.progress()).isNull();
    Rig.await("renewal").until(() -> assignment.progress() != null);
    assertThat(assignment.progress()).isEqualTo(new OffsetAndMetadata(7, "acklast open until 17"));
  }
}
