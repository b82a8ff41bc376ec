package dev.acklast.rabbitmq;

import static dev.acklast.rabbitmq.Rig.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.acklast.spi.Facts;
import dev.acklast.spi.RedeliveryHint;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the management API tells of limits that the broker enforces behind our back. */
@Tag("broker")
class LimitsTest {
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

  private Facts facts(RabbitSource source) {
    rig.start(source.management(URI.create(rig.server.managementUri())), sink);
    Rig.awaiting().until(() -> !sink.facts().isEmpty());
    return sink.lastFacts();
  }

  /** A15: the broker's own limit fires first, and drops the message where there is no exchange. */
  @Test
  @Tag("A15")
  void deliveryLimitIsReadAndDroppingIsWarnedOf() throws Exception {
    rig.queue("sales", Map.of("x-queue-type", "quorum", "x-delivery-limit", 2));
    Facts facts = facts(rig.source("sales"));
    assertThat(facts.deliveryLimit()).isEqualTo(3);
    assertThat(facts.warnings()).anyMatch(w -> w.contains("drops") && w.contains("'sales'"));
    rig.publish("sales", "a");
    for (int i = 0; i < 3; i++) { // so many deliveries there are, and then it is gone
      settled(sink.delivery(i).acker().release());
    }
    rig.endEmpty("sales");
    assertThat(sink.all()).hasSize(3);
    assertThat(sink.all().get(0).envelope().hint()).isEqualTo(RedeliveryHint.FIRST);
    assertThat(sink.all().get(2).envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
  }

  @Test
  void policiesCountToo() throws Exception {
    rig.host.setPolicy("limits", "^sales$", Map.of("delivery-limit", 7), "queues");
    rig.host.setPolicy("short", "dlq$", Map.of("max-length", 5, "message-ttl", 1000), "queues");
    rig.queue("sales", Map.of("x-queue-type", "quorum", "x-message-ttl", 60_000));
    rig.queue("sales.dlq", "classic");
    Facts facts = facts(rig.source("sales"));
    assertThat(facts.deliveryLimit()).isEqualTo(8);
    assertThat(facts.retention()).isEqualTo(Duration.ofMinutes(1));
    assertThat(facts.warnings())
        .anyMatch(w -> w.contains("'sales.dlq' has a length limit"))
        .anyMatch(w -> w.contains("'sales.dlq' lets messages expire"));
  }

  @Test
  void nothingToWarnOfWhereNothingIsLimited() throws Exception {
    rig.queue("sales", "quorum");
    Facts facts = facts(rig.source("sales"));
    assertThat(facts.deliveryLimit()).isNull();
    assertThat(facts.retention()).isNull();
    assertThat(facts.warnings()).isEmpty();
  }

  @Test
  void singleActiveConsumerThatIsNoneIsWarnedOf() throws Exception {
    rig.queue("sales", "quorum");
    assertThat(facts(rig.source("sales").singleActiveConsumer()).warnings())
        .anyMatch(w -> w.contains("no single active consumer"));
  }

  @Test
  void managementThatDoesNotAnswerIsAWarningOnly() throws Exception {
    rig.queue("sales", "quorum");
    URI wrong = URI.create("http://someone:s3cret@127.0.0.1:1");
    rig.up(rig.source("sales").management(wrong), sink);
    assertThat(sink.lastFacts().warnings())
        .anyMatch(w -> w.contains("limits are not checked"))
        .noneMatch(w -> w.contains("s3cret"));
  }

  @Test
  void addressThatIsNoneIsRefused() {
    assertThatThrownBy(() -> rig.source("sales").management(URI.create("localhost:15672")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http://localhost:15672");
  }
}
