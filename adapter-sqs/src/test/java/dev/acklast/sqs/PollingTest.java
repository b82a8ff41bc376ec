package dev.acklast.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult.Status;
import dev.acklast.spi.Subscription;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;

/** When and how much is received, and what becomes of that when the service fails or we stop. */
class PollingTest {
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
  @Tag("B05")
  void askedForIsOnlyWhatThereIsRoomFor() throws Exception {
    List<Integer> asked = new CopyOnWriteArrayList<>();
    rig.faults.at(
        "receiveMessage",
        (request, call) -> {
          asked.add(built(request).maxNumberOfMessages());
          return call.get();
        });
    for (int i = 0; i < 6; i++) {
      rig.send("message " + i);
    }
    rig.start(rig.source(), 3);
    Delivery first = rig.awaitDeliveries(3).get(0);
    rig.await("no more").during(Duration.ofSeconds(1)).until(() -> rig.deliveries.size() == 3);
    assertThat(asked.get(0)).isEqualTo(3);
    assertThat(rig.lent()).isEqualTo(3);
    assertThat(Rig.settled(first.acker().ack()).status()).isEqualTo(Status.DONE);
    rig.awaitDeliveries(4);
    assertThat(asked).allSatisfy(most -> assertThat(most).isBetween(1, 3));
  }

  @Test
  void oneReceiveAtATimeIsEnoughForAnIdleQueue() {
    rig.start(rig.source(), 100);
    rig.await("some receives").until(() -> rig.faults.calls("receiveMessage") >= 2);
    int before = rig.faults.calls("receiveMessage");
    long begun = System.nanoTime();
    rig.await("more receives").until(() -> rig.faults.calls("receiveMessage") >= before + 3);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @Tag("B16")
  @Tag("B18")
  @CsvSource({
    "OverLimit,403,too many messages are in flight",
    "ThrottlingException,400,throttles",
    "ServiceUnavailable,503,ServiceUnavailable",
    "AccessDenied,403,may not call sqs:ReceiveMessage"
  })
  void everyKindOfErrorShowsInHealthAndIsSurvived(String code, int status, String told) {
    Subscription subscription = rig.start(rig.source(), 10);
    rig.await("health").until(() -> subscription.health().status() == Health.Status.UP);
    rig.faults.refuse("receiveMessage", code, status);
    rig.await("health that says so")
        .until(() -> subscription.health().reasons().toString().contains(told));
    assertThat(subscription.health().status()).isEqualTo(Health.Status.DOWN);
    rig.faults.mend("receiveMessage");
    rig.send("after");
    rig.awaitDeliveries(1);
    assertThat(subscription.health().status()).isEqualTo(Health.Status.UP);
  }

  @Test
  @Tag("B17")
  void nobodyIsAskedInALoopWhileNobodyAnswers() {
    try (SqsClient nowhere = rig.server.clientBuilder(URI.create("http://127.0.0.1:1")).build()) {
      var faults = new dev.acklast.servers.SqsFaults(nowhere);
      Subscription subscription = rig.start(SqsSource.queue(faults.client(), rig.queue), 10);
      rig.await("health that says so")
          .until(() -> subscription.health().reasons().toString().contains("cannot be called"));
      rig.await("a while")
          .during(Duration.ofSeconds(5))
          .until(() -> subscription.health().status() == Health.Status.DOWN);
      assertThat(faults.calls("getQueueUrl")).isBetween(2, 12);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "getQueueUrl",
        "getQueueAttributes",
        "deleteMessageBatch",
        "changeMessageVisibilityBatch",
        "createQueue"
      })
  void missingPermissionIsNamedAtStartWithItsQueue(String method) {
    rig.faults.refuse(method, "AccessDeniedException", 400);
    Subscription subscription = rig.start(rig.source(), 10);
    String action =
        Character.toUpperCase(method.charAt(0)) + method.substring(1).replace("Batch", "");
    rig.await("health that names it")
        .until(
            () -> {
              String reasons = subscription.health().reasons().toString();
              return reasons.contains("may not call sqs:" + action) && reasons.contains(rig.queue);
            });
    assertThat(subscription.health().status()).isEqualTo(Health.Status.DOWN);
    rig.faults.mend(method);
    rig.await("health").until(() -> subscription.health().status() == Health.Status.UP);
  }

  @ParameterizedTest
  @Tag("B13")
  @ValueSource(strings = {"%s", "%s/", "arn:aws:sqs:us-east-1::NAME"})
  void queueMayBeNamedByItsUrlOrArn(String form) {
    String named =
        form.contains("NAME")
            ? form.replace("NAME", rig.queue)
            : form.formatted(rig.url(rig.queue));
    rig.send("a");
    rig.start(rig.source(named), 10);
    assertThat(rig.awaitDeliveries(1).get(0).envelope().source()).isEqualTo(rig.queue);
  }

  @Test
  @Tag("B14")
  @Tag("B15")
  void whatAPendingReceiveBringsAfterAStopIsThereForOthersAtOnce() {
    Subscription subscription = rig.start(rig.source().longPoll(Duration.ofSeconds(3)), 10);
    rig.await("a receive").until(() -> rig.faults.calls("receiveMessage") >= 1);
    Thread stop = new Thread(subscription::stopIntake);
    stop.start();
    rig.send("late");
    rig.await("the stop").atMost(Duration.ofSeconds(6)).until(() -> !stop.isAlive());
    int calls = rig.faults.calls("receiveMessage");
    rig.await("the message").atMost(Duration.ofSeconds(3)).until(() -> rig.ready() == 1);
    rig.await("no other receive")
        .during(Duration.ofSeconds(2))
        .until(() -> rig.faults.calls("receiveMessage") == calls);
    assertThat(rig.deliveries).isEmpty();
  }

  @Test
  @Tag("A26")
  void stopAndCloseAreBoundedWhileTheServerIsFrozen() {
    org.junit.jupiter.api.Assumptions.assumeTrue(rig.server.canRestart());
    rig.send("a");
    Subscription subscription = rig.start(rig.source(), 10);
    Delivery delivery = rig.awaitDeliveries(1).get(0);
    rig.server.freeze();
    try {
      long begun = System.nanoTime();
      delivery.acker().ack();
      subscription.stopIntake();
      subscription.close(Duration.ofSeconds(2));
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(9));
      rig.await("no thread left").until(PollingTest::noThreads);
    } finally {
      rig.server.thaw();
    }
  }

  @Test
  void closedSubscriptionLeavesNoThreadAndGivesBackWhatItHeld() {
    rig.send("a");
    Subscription subscription = rig.start(rig.source(), 10);
    rig.awaitDeliveries(1);
    subscription.stopIntake();
    subscription.close(Duration.ofSeconds(3));
    rig.await("the message").atMost(Duration.ofSeconds(3)).until(() -> rig.ready() == 1);
    rig.await("no thread left").until(PollingTest::noThreads);
  }

  private static boolean noThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().startsWith("acklast-sqs-test-"));
  }

  @SuppressWarnings("unchecked") // the client's interface says so
  private static ReceiveMessageRequest built(Object request) {
    return ReceiveMessageRequest.builder()
        .applyMutation((Consumer<ReceiveMessageRequest.Builder>) request)
        .build();
  }
}
