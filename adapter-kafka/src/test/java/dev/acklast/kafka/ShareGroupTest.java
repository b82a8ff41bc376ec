package dev.acklast.kafka;

import static dev.acklast.kafka.Rig.await;
import static dev.acklast.kafka.Rig.got;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Health;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SettleResult.Status;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is special to share groups: locks, delivery counts, and settings of the group. */
class ShareGroupTest {
  private static final String LOCK = "share.record.lock.duration.ms";
  private static final String LIMIT = "share.delivery.count.limit";

  private final Rig rig = Rig.withTopic(1);

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void keepsTheLockForAsLongAsARecordIsInWork() {
    configure(LOCK, "2000");
    Heard one = new Heard();
    Heard other = new Heard();
    rig.start(source(), 5, one);
    rig.send(0, "slow");
    one.awaitCount(1);
    rig.start(source(), 5, other);
    await("three lock times, and nobody has it twice")
        .during(Duration.ofSeconds(6))
        .until(() -> one.all().size() == 1 && other.all().isEmpty());
    assertThat(status(one.all().get(0))).isEqualTo(Status.DONE);
    awaitLag(0);
    assertThat(other.all()).isEmpty();
  }

  @Test
  void letsNewRecordsPassOneThatIsKeptForLong() {
    configure(LOCK, "2000");
    Heard heard = new Heard();
    rig.start(source(), 4, heard);
    rig.send(0, "kept");
    heard.awaitCount(1);
    Delivery kept = heard.all().get(0);
    for (int i = 1; i <= 10; i++) {
      rig.send(0, "passing-" + i);
      heard.awaitCount(1 + i);
      assertThat(status(heard.all().get(i))).isEqualTo(Status.DONE);
    }
    assertThat(kept.acker().isLive()).isTrue();
    awaitLag(1);
    assertThat(status(kept)).isEqualTo(Status.DONE);
    awaitLag(0);
    assertThat(heard.bodies()).doesNotHaveDuplicates();
  }

  @Test
  void marksTheLastDeliveryThatTheBrokerGrants() {
    configure(LIMIT, "3");
    Heard heard = new Heard();
    rig.start(source(), 5, heard);
    rig.send(0, "again");
    for (int delivery = 1; delivery <= 3; delivery++) {
      heard.awaitCount(delivery);
      Delivery latest = heard.all().get(delivery - 1);
      assertThat(latest.envelope().hint())
          .isEqualTo(delivery == 1 ? RedeliveryHint.FIRST : RedeliveryHint.SUSPECT);
      assertThat(latest.envelope().isLastDelivery()).isEqualTo(delivery == 3);
      if (delivery < 3) {
        latest.acker().release();
      }
    }
    assertThat(status(heard.all().get(2))).isEqualTo(Status.DONE);
    awaitLag(0);
  }

  @Test
  void tellsTheLimitsOfTheGroup() {
    configure(LIMIT, "4");
    Heard heard = new Heard();
    Subscription subscription = rig.start(source(), 5, heard);
    await("health").until(() -> subscription.health().status() == Health.Status.UP);
    Facts facts = heard.facts();
    assertThat(facts.deliveryLimit()).isEqualTo(4);
    assertThat(facts.marksLastDelivery()).isTrue();
    assertThat(facts.longestPark()).isEqualTo(Duration.ofMinutes(5));
    assertThat(facts.lease()).isNull();
  }

  @Test
  void beginsWithWhatIsThereAlreadyUnlessTheGroupSaysOtherwise() {
    rig.send(0, "early");
    Heard heard = Heard.acking();
    rig.start(source(), 5, heard);
    heard.awaitCount(1);
    assertThat(setting("share.auto.offset.reset")).isEqualTo("earliest");
    assertThat(setting("share.isolation.level")).isEqualTo("read_committed");
  }

  @Test
  void leavesTheSettingsOfAGroupThatHasThem() {
    configure("share.auto.offset.reset", "latest");
    configure("share.isolation.level", "read_uncommitted");
    Subscription subscription = rig.start(source(), 5, Heard.acking());
    await("health").until(() -> subscription.health().status() == Health.Status.UP);
    assertThat(setting("share.auto.offset.reset")).isEqualTo("latest");
    assertThat(setting("share.isolation.level")).isEqualTo("read_uncommitted");
  }

  @Test
  void changesNothingWithoutTopologyAndSaysWhatThatMeans() {
    rig.create(rig.topic + ".dlq", 1, Map.of());
    Heard heard = Heard.acking();
    Subscription subscription = rig.start(source().topologyNone(), 5, heard);
    await("health").until(() -> subscription.health().status() == Health.Status.UP);
    assertThat(setting("share.auto.offset.reset")).isEqualTo("latest");
    assertThat(heard.facts().warnings().toString()).contains("share.auto.offset.reset");
  }

  @Test
  void refusesAGroupThatMayNotRenewItsLocks() {
    configure("share.renew.acknowledge.enable", "false");
    Subscription subscription = rig.start(source(), 5, Heard.acking());
    await("health that says so")
        .until(
            () ->
                subscription
                    .health()
                    .reasons()
                    .toString()
                    .contains("set share.renew.acknowledge.enable=true"));
    configure("share.renew.acknowledge.enable", "true");
    await("its mending").until(() -> subscription.health().status() == Health.Status.UP);
  }

  @Test
  void leavesToOthersWhatWasNotSettledAndSettlesTooLateFromThenOn() {
    Heard one = new Heard();
    Subscription first = rig.start(source(), 5, one);
    rig.send(0, "left");
    one.awaitCount(1);
    Rig.stop(first);
    Delivery left = one.all().get(0);
    assertThat(left.acker().isLive()).isFalse();
    assertThat(status(left)).isEqualTo(Status.LATE);
    Heard other = Heard.acking();
    rig.start(source(), 5, other);
    other.awaitCount(1);
    assertThat(other.all().get(0).envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
    awaitLag(0);
  }

  @Test
  void giveBackOfUnstartedRecordsIsHeardByOthersAtOnce() {
    Heard one = new Heard();
    Subscription first = rig.start(source(), 40, one);
    rig.sendMany("r", 10, 1);
    one.awaitCount(10);
    first.stopIntake();
    one.all().forEach(delivery -> delivery.acker().release());
    Heard other = Heard.acking();
    rig.start(source(), 40, other);
    other.awaitCount(10);
    assertThat(one.all()).hasSize(10);
    awaitLag(0);
  }

  @Test
  void skipsTombstonesUnlessTheyAreWanted() {
    rig.send(new ProducerRecord<>(rig.topic, 0, "k".getBytes(UTF_8), null));
    Heard heard = Heard.acking();
    rig.start(source(), 5, heard);
    heard.awaitCount(1);
    assertThat(heard.all().get(0).envelope().isToSkip()).isTrue();
  }

  private KafkaSource source() {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", rig.server.bootstrap());
    return KafkaSource.topics(config, rig.topic).shareGroup(rig.group);
  }

  private static Status status(Delivery delivery) {
    SettleResult result =
        delivery.acker().ack().toCompletableFuture().orTimeout(15, TimeUnit.SECONDS).join();
    if (result.reason() != null) {
      LoggerFactory.getLogger(ShareGroupTest.class).info("not done: {}", result.reason());
    }
    return result.status();
  }

  private void configure(String key, String value) {
    var change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    got(() -> rig.admin.incrementalAlterConfigs(Map.of(resource(), List.of(change))).all().get());
  }

  private String setting(String key) {
    Map<ConfigResource, Config> found =
        got(() -> rig.admin.describeConfigs(List.of(resource())).all().get());
    return found.get(resource()).get(key).value();
  }

  private ConfigResource resource() {
    return new ConfigResource(ConfigResource.Type.GROUP, rig.group);
  }

  /** The broker's own word for what is not done. */
  private void awaitLag(long lag) {
    await("lag " + lag)
        .until(
            () ->
                got(() ->
                            rig.admin
                                .listShareGroupOffsets(
                                    Map.of(rig.group, new ListShareGroupOffsetsSpec()))
                                .partitionsToOffsetInfo(rig.group)
                                .get())
                        .get(new TopicPartition(rig.topic, 0))
                        .lag()
                        .orElse(-1L)
                    == lag);
  }
}
