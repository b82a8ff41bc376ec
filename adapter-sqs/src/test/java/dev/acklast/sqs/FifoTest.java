package dev.acklast.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.SettleResult.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/** Order of a group when one of it leaves unhandled. */
class FifoTest {
  private Rig rig;

  @BeforeEach
  void createQueue() {
    rig = Rig.fifo();
    rig.send("one", "two", "three");
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @ParameterizedTest
  @Tag("B06")
  @ValueSource(strings = {"0,1,2", "2,1,0", "1,2,0"})
  void releasedMessagesComeBackInOrderWhateverTheOrderOfTheirRelease(String order)
      throws Exception {
    rig.start(rig.source(), 3);
    List<Delivery> first = List.copyOf(rig.awaitDeliveries(3));
    for (String place : order.split(",")) {
      assertThat(Rig.settled(first.get(Integer.parseInt(place)).acker().release()).status())
          .isEqualTo(Status.DONE);
    }
    // What came back alone, first, is settled before the next of its group comes.
    List<String> handled = new CopyOnWriteArrayList<>();
    for (int next = 3; handled.size() < 3; next++) {
      Delivery again = rig.awaitDeliveries(next + 1).get(next);
      handled.add(Rig.text(again));
      assertThat(Rig.settled(again.acker().ack()).status()).isEqualTo(Status.DONE);
    }
    assertThat(handled).containsExactly("one", "two", "three");
  }

  @Test
  void whatStandsBehindALostMessageIsNotHandledHere() throws Exception {
    rig.start(rig.source().visibilityTimeout(Duration.ofSeconds(2)), 10);
    List<Delivery> first = List.copyOf(rig.awaitDeliveries(3));
    rig.faults.at(
        "changeMessageVisibilityBatch",
        (request, call) -> {
          throw ApiCallTimeoutException.create(1_000);
        });
    rig.await("the loss").until(() -> !first.get(0).acker().isLive());
    rig.faults.mend("changeMessageVisibilityBatch");
    assertInOrder(rig.awaitDeliveries(6).subList(3, 6));
    assertThat(first).noneMatch(delivery -> delivery.acker().isLive());
  }

  @Test
  void settledMessageTakesNobodyAlong() throws Exception {
    rig.start(rig.source(), 10);
    List<Delivery> all = List.copyOf(rig.awaitDeliveries(3));
    assertThat(Rig.settled(all.get(0).acker().ack()).status()).isEqualTo(Status.DONE);
    assertThat(Rig.settled(all.get(2).acker().release()).status()).isEqualTo(Status.DONE);
    assertThat(Rig.settled(all.get(1).acker().ack()).status()).isEqualTo(Status.DONE);
    assertThat(Rig.text(rig.awaitDeliveries(4).get(3))).isEqualTo("three");
  }

  @Test
  void receiveWhoseAnswerWasLostIsRepeatedUnderItsId() {
    List<String> ids = new CopyOnWriteArrayList<>();
    rig.faults.at(
        "receiveMessage",
        (request, call) -> {
          ids.add(built(request).receiveRequestAttemptId());
          Object answer = call.get();
          if (ids.size() == 1) {
            throw ApiCallTimeoutException.create(1_000);
          }
          return answer;
        });
    rig.start(rig.source().visibilityTimeout(Duration.ofMinutes(5)), 10);
    assertInOrder(rig.awaitDeliveries(3));
    assertThat(ids.get(1)).isEqualTo(ids.get(0)).isNotNull();
  }

  private static void assertInOrder(List<Delivery> deliveries) {
    assertThat(deliveries).extracting(Rig::text).containsExactly("one", "two", "three");
  }

  @SuppressWarnings("unchecked") // the client's interface says so
  private static ReceiveMessageRequest built(Object request) {
    return ReceiveMessageRequest.builder()
        .applyMutation((Consumer<ReceiveMessageRequest.Builder>) request)
        .build();
  }
}
