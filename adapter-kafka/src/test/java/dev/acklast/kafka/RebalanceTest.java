package dev.acklast.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Health;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SettleResult.Status;
import dev.acklast.spi.Subscription;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions that come and go while records are in work. */
class RebalanceTest {
  private static final String COOPERATIVE =
      "org.apache.kafka.clients.consumer.CooperativeStickyAssignor";
  private static final String EAGER = "org.apache.kafka.clients.consumer.RoundRobinAssignor";

  private final Rig rig = Rig.withTopic(2);

  @AfterEach
  void close() {
    rig.close();
  }

  private KafkaSource source(String kind) {
    return switch (kind) {
      case "eager" -> rig.source(Map.of("partition.assignment.strategy", EAGER));
      case "cooperative" -> rig.source(Map.of("partition.assignment.strategy", COOPERATIVE));
      default -> rig.source(Map.of("group.protocol", "consumer"));
    };
  }

  @ParameterizedTest
  @Tag("C06")
  @ValueSource(strings = {"eager", "cooperative", "consumer"})
  void revokedPartitionWaitsForStartedWorkAndGivesTheRestBack(String kind) {
    rig.sendMany("r", 8, 2);
    Set<String> running = Set.of("r-0", "r-1");
    Heard first = new Heard().withStarted(d -> running.contains(Heard.text(d)));
    rig.start(source(kind), 6, first);
    first.awaitCount(6);
    List<Delivery> old = first.all();
    // what is started ends while the rebalance waits for it
    CompletableFuture<Void> ending =
        CompletableFuture.runAsync(
            () -> running.forEach(text -> first.of(text).acker().ack()),
            CompletableFuture.delayedExecutor(1500, TimeUnit.MILLISECONDS));
    Heard second = new Heard();
    rig.start(source(kind), 6, second);
    second.awaitCount(3);
    ending.join();
    assertThat(second.bodies()).doesNotContain("r-0", "r-1").doesNotHaveDuplicates();
    Set<String> seen = new HashSet<>(second.bodies());
    Delivery lost =
        old.stream().filter(d -> seen.contains(Heard.text(d))).findFirst().orElseThrow();
    assertThat(lost.acker().isLive()).isFalse();
    assertThat(status(lost.acker().ack())).isEqualTo(Status.LATE);
    assertThat(second.of(Heard.text(lost)).envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
  }

  @Test
  @Tag("C09")
  void lateAckIsNeverCommittedEvenWhenThePartitionHasComeBack() {
    rig.send(0, "a", "b");
    Heard heard = new Heard();
    Subscription subscription = rig.start(source("cooperative"), 10, heard);
    heard.awaitCount(2);
    Delivery old = heard.of("a");
    expel();
    heard.awaitCount(4);
    assertThat(status(old.acker().ack())).isEqualTo(Status.LATE);
    assertThat(status(old.acker().release())).isEqualTo(Status.LATE);
    assertThat(old.acker().isLive()).isFalse();
    heard.all().subList(3, 4).forEach(delivery -> delivery.acker().ack());
    Rig.await("health").until(() -> subscription.health().equals(Health.up()));
    assertThat(rig.offset(0)).isZero();
    heard.all().subList(2, 3).forEach(delivery -> delivery.acker().ack());
    rig.awaitOffset(0, 2);
    assertThat(heard.all()).hasSize(4);
  }

  /** The coordinator forgets all members, as after a session that has run out. */
  private void expel() {
    Rig.got(
        () ->
            rig.admin
                .removeMembersFromConsumerGroup(
                    rig.group, new RemoveMembersFromConsumerGroupOptions())
                .all()
                .get());
  }

  @Test
  @Tag("C08")
  void partitionPausedByBackPressureGoesOnAfterARebalance() {
    rig.sendMany("r", 400, 2);
    Heard first = new Heard();
    rig.start(source("eager"), 4, first);
    first.awaitCount(4);
    Heard second = Heard.acking();
    Subscription leaving = rig.start(source("eager"), 4, second);
    second.awaitCount(100);
    Rig.stop(leaving);
    first.reacting(delivery -> delivery.acker().ack());
    Rig.await("all of it")
        .until(
            () -> {
              first.all().forEach(delivery -> delivery.acker().ack());
              return rig.offset(0) == 200 && rig.offset(1) == 200;
            });
  }

  @Test
  @Tag("C17")
  void fencedMemberStopsAndSaysWhy() {
    KafkaSource fixed = rig.source(Map.of("group.instance.id", "one"));
    Subscription older = rig.start(fixed, 4, new Heard());
    Rig.await("health").until(() -> older.health().equals(Health.up()));
    Subscription newer = rig.start(fixed, 4, new Heard());
    Rig.await("fenced")
        .until(() -> older.health().reasons().toString().contains("group.instance.id"));
    Rig.await("health").until(() -> newer.health().equals(Health.up()));
    assertThat(older.health().status()).isEqualTo(Health.Status.DOWN);
  }

  private static Status status(java.util.concurrent.CompletionStage<SettleResult> answer) {
    return answer.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join().status();
  }
}
