package dev.acklast.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult.Status;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Where dead letters go, and that they are whole. */
class DeadLetterTest {
  private static final int LARGEST = 1 << 20;

  private Rig rig = Rig.standard();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void missingQueueIsCreatedUnderItsUsualName() throws Exception {
    bury(Map.of(), "a");
    Message dead = rig.only(rig.queue + "-dlq");
    assertThat(dead.body()).isEqualTo("a");
    assertThat(dead.messageAttributes().get(DeathReport.HEADER).stringValue())
        .contains("\"id\":\"d-1\"", "\"reason\":\"MAX_ATTEMPTS\"");
    assertThat(rig.attribute(rig.queue + "-dlq", QueueAttributeName.MESSAGE_RETENTION_PERIOD))
        .isIn(null, "1209600"); // ElasticMQ does not keep it
  }

  @Test
  void targetOfTheQueuesOwnRedrivePolicyIsUsed() throws Exception {
    String other = rig.queue + "-graveyard";
    rig.create(other, Map.of());
    String arn = rig.attribute(other, QueueAttributeName.QUEUE_ARN);
    String url = rig.url(rig.queue);
    rig.admin.setQueueAttributes(
        set ->
            set.queueUrl(url)
                .attributes(
                    Map.of(
                        QueueAttributeName.REDRIVE_POLICY,
                        "{\"deadLetterTargetArn\":\"" + arn + "\",\"maxReceiveCount\":\"20\"}")));
    bury(Map.of(), "a");
    assertThat(rig.only(other).body()).isEqualTo("a");
    assertThat(rig.facts.get(0).deliveryLimit()).isEqualTo(20);
    assertThat(rig.facts.get(0).spareDeliveries()).isEqualTo(3);
  }

  @Test
  void deadLetterOfAFifoQueueKeepsItsGroup() throws Exception {
    rig.close();
    rig = Rig.fifo();
    bury(Map.of(), "a");
    String dlq = rig.queue.replace(".fifo", "-dlq.fifo");
    Message dead = rig.only(dlq);
    assertThat(dead.attributes())
        .containsEntry(MessageSystemAttributeName.MESSAGE_GROUP_ID, "group")
        .containsEntry(MessageSystemAttributeName.MESSAGE_DEDUPLICATION_ID, "d-1");
  }

  @Test
  @Tag("B09")
  void messageWithTenAttributesKeepsAllOfThemThroughDeathAndRedrive() throws Exception {
    Map<String, MessageAttributeValue> ten = new HashMap<>();
    for (int i = 0; i < 8; i++) {
      ten.put("text-" + i, Rig.text("Größe " + i));
    }
    ten.put(
        "x-number",
        MessageAttributeValue.builder().dataType("Number.int").stringValue("0042").build());
    ten.put(
        "z-bytes",
        MessageAttributeValue.builder()
            .dataType("Binary")
            .binaryValue(SdkBytes.fromByteArray(new byte[] {0, -1, 7}))
            .build());
    bury(ten, "a");
    Message dead = rig.only(rig.queue + "-dlq");
    assertThat(dead.messageAttributes()).hasSize(10).containsKey(DeathReport.HEADER);

    rig.send(rig.queue, dead.body(), dead.messageAttributes());
    Delivery redriven = rig.awaitDeliveries(2).get(1);
    assertThat(redriven.envelope().headers()).hasSize(11).containsEntry("x-number", "0042");
    assertThat((byte[]) redriven.envelope().headers().get("z-bytes")).containsExactly(0, -1, 7);
    assertThat(redriven.envelope().header(DeathReport.HEADER))
        .contains("\"id\":\"d-1\"")
        .doesNotContain("z-bytes");
    assertThat(Rig.settled(redriven.acker().deadLetter(Rig.death("d-2"))).status())
        .isEqualTo(Status.DONE);
  }

  @Test
  @Tag("B10")
  void diagnosticsYieldWhereAMessageIsAsLargeAsMessagesMayBe() throws Exception {
    Map<String, MessageAttributeValue> attributes = Map.of("tenant", Rig.text("seven"));
    int own = Attributes.size(attributes);
    String body = "x".repeat(LARGEST - own - 200);
    bury(attributes, body);
    Message dead = rig.only(rig.queue + "-dlq");
    assertThat(dead.body()).isEqualTo(body);
    assertThat(dead.messageAttributes()).containsEntry("tenant", Rig.text("seven"));
    assertThat(dead.messageAttributes().get(DeathReport.HEADER).stringValue())
        .contains("\"id\":\"d-1\"")
        .doesNotContain("no stock");
    assertThat(body.length() + Attributes.size(dead.messageAttributes()))
        .isLessThanOrEqualTo(LARGEST);
  }

  @Test
  @Tag("B10")
  void messageOfTheLargestSizeIsDeadLetteredWithoutARecord() throws Exception {
    String body = "x".repeat(LARGEST);
    bury(Map.of(), body);
    Message dead = rig.only(rig.queue + "-dlq");
    assertThat(dead.body()).isEqualTo(body);
    assertThat(dead.messageAttributes()).isEmpty();
  }

  @Test
  void withoutTopologyAMissingQueueStopsTheStartAndIsNamed() {
    var subscription = rig.start(rig.source().topologyNone(), 10);
    rig.await("health that names it")
        .until(() -> subscription.health().reasons().toString().contains(rig.queue + "-dlq"));
    assertThat(subscription.health().status()).isEqualTo(Health.Status.DOWN);
    rig.create(rig.queue + "-dlq", Map.of());
    rig.await("health").until(() -> subscription.health().status() == Health.Status.UP);
  }

  @Test
  void sourceItselfOrAQueueOfTheOtherKindIsNoDeadLetterQueue() {
    assertThatThrownBy(() -> rig.start(rig.source(), 10, rig.queue))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is the source itself");
    assertThatThrownBy(() -> rig.start(rig.source(rig.queue + ".fifo"), 10, "dead"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'dead.fifo'");
    assertThatThrownBy(() -> rig.start(rig.source(), 10, "dead.fifo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("standard queue");
  }

  private void bury(Map<String, MessageAttributeValue> attributes, String body) throws Exception {
    rig.send(rig.queue, body, attributes);
    rig.start(rig.source(), 10);
    Delivery delivery = rig.awaitDeliveries(1).get(0);
    assertThat(Rig.settled(delivery.acker().deadLetter(Rig.death("d-1"))).status())
        .isEqualTo(Status.DONE);
    assertThat(Rig.settled(delivery.acker().ack()).status()).isEqualTo(Status.DONE);
  }
}
