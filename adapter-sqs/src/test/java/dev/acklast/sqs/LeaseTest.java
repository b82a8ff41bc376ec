package dev.acklast.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.servers.SqsFaults;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/** How long a message is ours, and what becomes of it when it no longer is. */
class LeaseTest {
  private static final Duration SHORT = Duration.ofSeconds(2);

  private Rig rig;

  @BeforeEach
  void createQueue() {
    rig = Rig.standard();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  @Tag("B01")
  void messagesInHandAreNotDeliveredAgainBeyondTheirVisibilityTimeout() throws Exception {
    rig.send("a", "b", "c");
    rig.start(rig.source().visibilityTimeout(SHORT), 10);
    List<Delivery> held = List.copyOf(rig.awaitDeliveries(3));
    rig.await("no other delivery")
        .during(Duration.ofSeconds(5))
        .until(() -> rig.deliveries.size() == 3);
    for (Delivery delivery : held) {
      assertThat(delivery.acker().isLive()).isTrue();
      assertThat(Rig.settled(delivery.acker().ack()).status()).isEqualTo(Status.DONE);
    }
    rig.await("an empty queue").until(() -> rig.ready() + rig.lent() == 0);
  }

  @Test
  @Tag("B19")
  void extensionIsTheVisibilityTimeoutAndEndsWithTheSettle() throws Exception {
    List<Integer> asked = new CopyOnWriteArrayList<>();
    rig.faults.at(
        "changeMessageVisibilityBatch",
        (request, call) -> {
          SqsFaults.batch(request).entries().forEach(entry -> asked.add(entry.visibilityTimeout()));
          return call.get();
        });
    rig.send("a");
    rig.start(rig.source().visibilityTimeout(SHORT), 10);
    Delivery delivery = rig.awaitDeliveries(1).get(0);
    rig.await("some extensions").until(() -> asked.size() >= 5);
    assertThat(Rig.settled(delivery.acker().ack()).status()).isEqualTo(Status.DONE);
    int before = asked.size();
    rig.await("no more of them").during(Duration.ofSeconds(3)).until(() -> asked.size() == before);
    assertThat(asked.subList(1, asked.size())).containsOnly(2); // the first asked for permission
  }

  @Test
  @Tag("B03")
  void messageThatCannotBeExtendedIsGivenUpWhenItsTimeHasSurelyEnded() throws Exception {
    rig.send("a");
    rig.start(rig.source().visibilityTimeout(SHORT), 10);
    Delivery first = rig.awaitDeliveries(1).get(0);
    rig.faults.at(
        "changeMessageVisibilityBatch",
        (request, call) -> {
          throw ApiCallTimeoutException.create(1_000);
        });
    rig.await("the end of its time").until(() -> !first.acker().isLive());
    rig.faults.mend("changeMessageVisibilityBatch");
    Delivery second = rig.awaitDeliveries(2).get(1);
    assertThat(Rig.settled(first.acker().ack()).status()).isEqualTo(Status.LATE);
    assertThat(second.envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
    assertThat(Rig.settled(second.acker().ack()).status()).isEqualTo(Status.DONE);
    rig.await("an empty queue").until(() -> rig.ready() + rig.lent() == 0);
  }

  @Test
  @Tag("B20")
  void retryComesWhenItIsDueAndIsKnownAsOurs() throws Exception {
    rig.send("a");
    rig.start(rig.source(), 10);
    Delivery first = rig.awaitDeliveries(1).get(0);
    assertThat(first.envelope().hint()).isEqualTo(RedeliveryHint.FIRST);
    long asked = System.nanoTime();
    assertThat(Rig.settled(first.acker().retry(Duration.ofMillis(1_200))).status())
        .isEqualTo(Status.DONE);
    Delivery second = rig.awaitDeliveries(2).get(1);
    assertThat(Duration.ofNanos(System.nanoTime() - asked))
        .isBetween(Duration.ofMillis(1_200), Duration.ofSeconds(8));
    assertThat(second.envelope().hint()).isEqualTo(RedeliveryHint.RETRIED);
    assertThat(Rig.settled(first.acker().ack()).status()).isEqualTo(Status.LATE);
  }

  @Test
  void whatAnotherReceiverHadInBetweenIsASuspect() throws Exception {
    rig.send("a");
    rig.start(rig.source(), 1);
    Delivery first = rig.awaitDeliveries(1).get(0);
    rig.faults.at(
        "receiveMessage",
        (request, call) -> {
          rig.only(rig.queue); // somebody else is quicker, once
          rig.faults.mend("receiveMessage");
          return call.get();
        });
    Rig.settled(first.acker().retry(Duration.ofSeconds(1)));
    Delivery second = rig.awaitDeliveries(2).get(1);
    assertThat(second.envelope().hint()).isEqualTo(RedeliveryHint.SUSPECT);
  }

  @Test
  @Tag("B02")
  void delayIsClampedToTheTwelveHoursThatSqsGrants() throws Exception {
    List<Integer> asked = new CopyOnWriteArrayList<>();
    rig.send("a");
    rig.start(rig.source(), 10);
    Delivery delivery = rig.awaitDeliveries(1).get(0);
    rig.faults.at(
        "changeMessageVisibilityBatch",
        (request, call) -> {
          SqsFaults.batch(request).entries().forEach(entry -> asked.add(entry.visibilityTimeout()));
          return call.get();
        });
    assertThat(Rig.settled(delivery.acker().retry(Duration.ofHours(12))).status())
        .isEqualTo(Status.DONE);
    assertThat(asked).singleElement().satisfies(seconds -> assertThat(seconds).isLessThan(43_200));
    assertThat(rig.facts.get(0).lease()).isEqualTo(Duration.ofHours(12));
  }

  @Test
  void failedSettleLeavesTheMessageOurs() throws Exception {
    rig.send("a");
    rig.start(rig.source(), 10);
    Delivery delivery = rig.awaitDeliveries(1).get(0);
    rig.faults.refuse("deleteMessageBatch", "ServiceUnavailable", 503);
    assertThat(Rig.settled(delivery.acker().ack()).status()).isEqualTo(Status.FAILED);
    assertThat(delivery.acker().isLive()).isTrue();
    rig.faults.mend("deleteMessageBatch");
    assertThat(Rig.settled(delivery.acker().ack()).status()).isEqualTo(Status.DONE);
  }
}
