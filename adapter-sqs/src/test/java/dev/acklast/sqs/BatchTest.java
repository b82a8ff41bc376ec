package dev.acklast.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SettleResult.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;

/** Batches of which a part fails. */
class BatchTest {
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
  @Tag("B04")
  void oneFailedEntryOfABatchIsTheOnlyOneThatIsSettledAgain() throws Exception {
    List<Delivery> all = receive();
    answerForThird(false);
    List<SettleResult> results = ackAll(all);
    assertThat(results).filteredOn(SettleResult::isDone).hasSize(9);
    int failed = failed(results);
    assertThat(results.get(failed).status()).isEqualTo(Status.FAILED);
    assertThat(results.get(failed).reason()).contains("InternalError");
    rig.faults.mend("deleteMessageBatch");
    assertThat(Rig.settled(all.get(failed).acker().ack()).status()).isEqualTo(Status.DONE);
    rig.await("an empty queue").until(() -> rig.ready() + rig.lent() == 0);
  }

  @Test
  @Tag("B04")
  void entryThatIsOurFaultIsNotTriedForEver() throws Exception {
    List<Delivery> all = receive();
    answerForThird(true);
    List<SettleResult> results = ackAll(all);
    int failed = failed(results);
    assertThat(results.get(failed).status()).isEqualTo(Status.LATE);
    assertThat(Rig.settled(all.get(failed).acker().ack()).status()).isEqualTo(Status.LATE);
  }

  @Test
  void tenAcksAreOneCall() throws Exception {
    List<Delivery> all = receive();
    int before = rig.faults.calls("deleteMessageBatch");
    ackAll(all);
    assertThat(rig.faults.calls("deleteMessageBatch") - before).isLessThanOrEqualTo(2);
  }

  private List<Delivery> receive() {
    for (int i = 0; i < 10; i++) {
      rig.send("message " + i);
    }
    rig.start(rig.source(), 10);
    return List.copyOf(rig.awaitDeliveries(10));
  }

  private static List<SettleResult> ackAll(List<Delivery> all) throws Exception {
    List<CompletionStage<SettleResult>> answers = new ArrayList<>();
    all.forEach(delivery -> answers.add(delivery.acker().ack()));
    List<SettleResult> results = new ArrayList<>();
    for (CompletionStage<SettleResult> answer : answers) {
      results.add(Rig.settled(answer));
    }
    return results;
  }

  private static int failed(List<SettleResult> results) {
    for (int i = 0; i < results.size(); i++) {
      if (!results.get(i).isDone()) {
        return i;
      }
    }
    throw new AssertionError("none failed");
  }

  /** The service answers 200, does all but the third entry, and lists that one as failed. */
  private void answerForThird(boolean senderFault) {
    rig.faults.at(
        "deleteMessageBatch",
        (request, call) -> {
          List<DeleteMessageBatchRequestEntry> others = new ArrayList<>(built(request).entries());
          boolean failed = others.removeIf(entry -> entry.id().equals("2"));
          rig.admin.deleteMessageBatch(built(request).toBuilder().entries(others).build());
          return failed ? response(senderFault) : DeleteMessageBatchResponse.builder().build();
        });
  }

  private static DeleteMessageBatchResponse response(boolean senderFault) {
    return DeleteMessageBatchResponse.builder()
        .failed(
            BatchResultErrorEntry.builder()
                .id("2")
                .code(senderFault ? "ReceiptHandleIsInvalid" : "InternalError")
                .senderFault(senderFault)
                .build())
        .build();
  }

  @SuppressWarnings("unchecked") // the client's interface says so
  private static DeleteMessageBatchRequest built(Object request) {
    return DeleteMessageBatchRequest.builder()
        .applyMutation((Consumer<DeleteMessageBatchRequest.Builder>) request)
        .build();
  }
}
