package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.ack;
import static dev.acklast.rabbitmq.Rig.settled;
import static dev.acklast.spi.SettleResult.Status.DONE;
import static dev.acklast.spi.SettleResult.Status.LATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Acker;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SourceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a delivery that is settled, on a real broker. */
@Tag("broker")
class SettlingTest {
  private Rig rig;
  private final RecordingSink sink = new RecordingSink();

  @BeforeEach
  void setUp() throws Exception {
    rig = Rig.shared();
  }

  @AfterEach
  void tearDown() throws Exception {
    rig.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  void ackRemovesForGood(String type) throws Exception {
    rig.queue("sales", type);
    rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a");
    assertThat(ack(sink.delivery(0).acker())).isEqualTo(DONE);
    rig.cutConnections(sink.delivery(0).acker());
    rig.publish("sales", "b");
    assertThat(RecordingSink.text(sink.delivery(1))).isEqualTo("b");
    assertThat(ack(sink.delivery(1).acker())).isEqualTo(DONE);
    rig.endEmpty("sales");
  }

  /** A quorum queue without a delivery limit puts it at its end: measured with 3.10. */
  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  void releaseBringsItBackAtOnceInItsPlaceAndSuspect(String type) throws Exception {
    boolean quorum = type.equals("quorum");
    Map<String, Object> limit = Map.of("x-queue-type", type, "x-delivery-limit", 10);
    rig.queue("sales", quorum ? limit : Map.of("x-queue-type", type));
    rig.publish("sales", "a", "b");
    rig.up(rig.source("sales"), Rig.settings(1), sink);
    assertThat(settled(sink.delivery(0).acker().release()).status()).isEqualTo(DONE);
    sink.delivery(1).acker().ack();
    sink.delivery(2).acker().ack();
    assertThat(sink.bodies()).containsExactly("a", "a", "b");
    assertThat(sink.all().get(0).envelope().hint()).isEqualTo(RedeliveryHint.FIRST);
    assertThat(sink.all().get(1).envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
    rig.endEmpty("sales");
  }

  /** A04: settling twice closes the channel at the client's level. Here it is a reported no-op. */
  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  @Tag("A04")
  void secondSettleOfAnyKindIsLateAndDisturbsNothing(String type) throws Exception {
    rig.queue("sales", type);
    rig.up(rig.source("sales"), sink);
    rig.publish("sales", "a", "b", "c", "d", "e");
    sink.awaitCount(5);
    Acker first = sink.delivery(0).acker();
    assertThat(settled(first.release()).status()).isEqualTo(DONE);
    assertThat(settled(first.ack()).status()).isEqualTo(LATE);
    assertThat(settled(first.release()).status()).isEqualTo(LATE);
    assertThat(settled(first.retry(Duration.ofMillis(200))).status()).isEqualTo(LATE);
    assertThat(settled(first.deadLetter(Rig.death("x"))).status()).isEqualTo(LATE);
    ack(sink.delivery(5).acker()); // the released one, once more
    for (int i = 1; i < 5; i++) {
      assertThat(ack(sink.delivery(i).acker())).isEqualTo(DONE);
    }
    rig.endEmpty("sales");
    assertThat(sink.bodies()).containsExactly("a", "b", "c", "d", "e", "a");
    assertThat(rig.exists("sales.dlq")).isTrue();
    assertThat(rig.ready("sales.dlq")).isZero();
  }

  /** A23: a nack with "all up to" would return neighbours. */
  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  @Tag("A23")
  void settlingOneLeavesEarlierOnesAlone(String type) throws Exception {
    rig.queue("sales", type);
    rig.up(rig.source("sales"), Rig.settings(5), sink);
    rig.publish("sales", "1", "2", "3", "4", "5");
    sink.awaitCount(5);
    settled(sink.delivery(2).acker().release());
    assertThat(RecordingSink.text(sink.delivery(5))).isEqualTo("3");
    settled(sink.delivery(5).acker().retry(Duration.ofMillis(100)));
    assertThat(RecordingSink.text(sink.delivery(6))).isEqualTo("3");
    ack(sink.delivery(6).acker());
    ack(sink.delivery(4).acker());
    for (int i : List.of(0, 1, 3)) {
      assertThat(ack(sink.delivery(i).acker())).isEqualTo(DONE);
    }
    rig.endEmpty("sales");
    assertThat(sink.all()).hasSize(7);
  }

  /** A03: after a reconnect, tags count anew; an old one must not reach the new channel. */
  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  @Tag("A03")
  void ackAfterChannelReplacementIsDropped(String type) throws Exception {
    rig.queue("sales", type);
    rig.up(rig.source("sales"), Rig.settings(2), sink);
    rig.publish("sales", "a", "b");
    sink.awaitCount(2);
    rig.cutConnections(sink.delivery(0).acker());
    sink.awaitCount(4);
    assertThat(sink.all().get(0).acker().isLive()).isFalse();
    assertThat(ack(sink.delivery(1).acker())).isEqualTo(LATE);
    assertThat(settled(sink.delivery(0).acker().release()).status()).isEqualTo(LATE);
    assertThat(settled(sink.delivery(0).acker().retry(Duration.ofMillis(100))).status())
        .isEqualTo(LATE);
    assertThat(settled(sink.delivery(0).acker().deadLetter(Rig.death("x"))).status())
        .isEqualTo(LATE);
    assertThat(ack(sink.delivery(2).acker())).isEqualTo(DONE);
    assertThat(ack(sink.delivery(3).acker())).isEqualTo(DONE);
    rig.endEmpty("sales");
    assertThat(sink.all()).hasSize(4);
    assertThat(sink.all().get(3).envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  void neverMoreThanPrefetchAreUnsettled(String type) throws Exception {
    rig.queue("sales", type);
    rig.publish("sales", "1", "2", "3", "4", "5", "6");
    rig.up(rig.source("sales"), Rig.settings(2), sink);
    sink.awaitCount(2);
    Rig.awaiting().until(() -> rig.ready("sales") == 4);
    assertThat(sink.all()).hasSize(2);
    ack(sink.delivery(0).acker());
    sink.awaitCount(3);
    sink.reacting(delivery -> delivery.acker().ack());
    ack(sink.delivery(1).acker());
    ack(sink.delivery(2).acker());
    sink.awaitCount(6);
    rig.endEmpty("sales");
    assertThat(sink.bodies()).containsExactly("1", "2", "3", "4", "5", "6");
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  void tenThousandMessagesThroughTwoSubscriptionsEachOnce(String type) throws Exception {
    rig.queue("sales", type);
    RecordingSink other = new RecordingSink().acking();
    SourceSettings settings = Rig.settings(250);
    rig.up(rig.source("sales"), settings, sink.acking());
    rig.up(rig.source("sales"), settings, other);
    for (int i = 0; i < 10_000; i++) {
      rig.publish("sales", "m" + i);
    }
    Rig.awaiting().until(() -> sink.all().size() + other.all().size() >= 10_000);
    rig.endEmpty("sales");
    assertThat(sink.bodies()).hasSizeGreaterThan(100).doesNotContainAnyElementsOf(other.bodies());
    assertThat(other.bodies()).hasSizeGreaterThan(100).doesNotHaveDuplicates();
    assertThat(sink.all().size() + other.all().size()).isEqualTo(10_000);
  }
}
