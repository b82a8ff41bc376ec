package dev.acklast.sqs;

import dev.acklast.spi.TroubleLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/** Deletes messages of one queue and changes their visibility, in batches. Thread-safe. */
final class QueueLink {
  private static final Duration LONGEST_CHANGE = Duration.ofSeconds(4);
  private static final Duration SHORTEST_CHANGE = Duration.ofSeconds(1);

  private final QueueName queue;
  private final Calls calls;
  private final TroubleLog log;
  private final Duration changeLimit;
  private final Batcher<Deletion> deletions;
  private final Batcher<Change> changes;
  private final Batcher<Change> extensions;
  private final Map<String, String> troubles = new ConcurrentHashMap<>();
  private volatile String url = "";

  /** A message that is to be taken off for good. */
  record Deletion(String handle, Consumer<Outcome> then) {}

  /** A message that is to become visible after so many seconds. */
  record Change(String handle, int seconds, Consumer<Outcome> then) {}

  @FunctionalInterface
  private interface Call {
    List<BatchResultErrorEntry> run() throws CallFailedException;
  }

  QueueLink(QueueName queue, Duration visibility, Calls calls, Workers workers, TroubleLog log) {
    this.queue = queue;
    this.calls = calls;
    this.log = log;
    Duration half = visibility.dividedBy(2);
    Duration most = half.compareTo(LONGEST_CHANGE) < 0 ? half : LONGEST_CHANGE;
    this.changeLimit = most.compareTo(SHORTEST_CHANGE) < 0 ? SHORTEST_CHANGE : most;
    this.deletions = new Batcher<>(workers, workers::settle, this::delete);
    this.changes = new Batcher<>(workers, workers::settle, this::change);
    this.extensions = new Batcher<>(workers, workers::lease, this::change);
  }

  void opened(String found) {
    url = found;
  }

  void delete(String handle, Consumer<Outcome> then) {
    deletions.add(new Deletion(handle, then));
  }

  /** Gives a message back, at once or later. */
  void reappear(String handle, int seconds, Consumer<Outcome> then) {
    changes.add(new Change(handle, seconds, then));
  }

  /** Keeps a message for longer; never waits for other calls. */
  void extend(String handle, int seconds, Consumer<Outcome> then) {
    extensions.add(new Change(handle, seconds, then));
  }

  /** Waits for the answers to all that was asked, but no longer than until {@code end}. */
  void awaitQuiet(long end) throws InterruptedException {
    deletions.awaitQuiet(end);
    changes.awaitQuiet(end);
  }

  /** Nothing is in hand: what did not work matters to nobody, and no call will show it mended. */
  void idle() {
    troubles.clear();
  }

  /** What does not work at present. */
  List<String> troubles() {
    return List.copyOf(troubles.values());
  }

  /**
   * Asks for nothing that exists, which is refused with another error if it is not allowed at all.
   */
  void probe() throws CallFailedException {
    String none = "AQEB-acklast-asks-whether-it-may";
    Calls.Batch batch = new Calls.Batch(queue, url);
    calls.delete(batch, List.of(deletion(0, none)));
    calls.changeVisibility(batch, List.of(change(0, none, 0)));
  }

  /** Gives back what came too late to be handed over, on this thread: the others may have ended. */
  void giveBackNow(List<Message> messages) {
    change(
        messages.stream()
            .map(message -> new Change(message.receiptHandle(), 0, outcome -> {}))
            .toList());
  }

  private void delete(List<Deletion> batch) {
    List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>();
    for (Deletion each : batch) {
      entries.add(deletion(entries.size(), each.handle()));
    }
    List<Outcome> outcomes =
        answers(
            "DeleteMessage",
            batch.size(),
            () -> calls.delete(new Calls.Batch(queue, url), entries));
    for (int i = 0; i < outcomes.size(); i++) {
      batch.get(i).then().accept(outcomes.get(i));
    }
  }

  private void change(List<Change> batch) {
    List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>();
    for (Change each : batch) {
      entries.add(change(entries.size(), each.handle(), each.seconds()));
    }
    List<Outcome> outcomes =
        answers(
            "ChangeMessageVisibility",
            batch.size(),
            () -> calls.changeVisibility(new Calls.Batch(queue, url, changeLimit), entries));
    for (int i = 0; i < outcomes.size(); i++) {
      batch.get(i).then().accept(outcomes.get(i));
    }
  }

  /** A call may succeed and yet have failed for some of its entries, which it then lists. */
  private List<Outcome> answers(String action, int size, Call call) {
    long sent = System.nanoTime();
    List<Outcome> outcomes = new ArrayList<>();
    try {
      Map<String, BatchResultErrorEntry> failed = new HashMap<>();
      call.run().forEach(entry -> failed.put(entry.id(), entry));
      for (int i = 0; i < size; i++) {
        outcomes.add(outcome(action, failed.get(Integer.toString(i)), sent));
      }
      if (troubles.remove(action) != null) {
        log.mended(queue + " " + action, "queue '" + queue + "': sqs:" + action + " works again");
      }
    } catch (CallFailedException e) {
      String sentence = Objects.requireNonNull(e.getMessage());
      troubles.put(action, sentence);
      log.trouble(queue + " " + action, sentence, e);
      for (int i = 0; i < size; i++) {
        outcomes.add(new Outcome(Outcome.Kind.FAILED, sentence, e.getCause(), sent));
      }
    }
    return outcomes;
  }

  private static Outcome outcome(
      String action, @Nullable BatchResultErrorEntry failed, long sentNanos) {
    if (failed == null) {
      return new Outcome(Outcome.Kind.DONE, null, null, sentNanos);
    }
    boolean ours = Boolean.TRUE.equals(failed.senderFault());
    return new Outcome(
        ours ? Outcome.Kind.REFUSED : Outcome.Kind.FAILED,
        "SQS did not do sqs:" + action + " for this message: " + failed.code(),
        null,
        sentNanos);
  }

  private static DeleteMessageBatchRequestEntry deletion(int id, String handle) {
    return DeleteMessageBatchRequestEntry.builder()
        .id(Integer.toString(id))
        .receiptHandle(handle)
        .build();
  }

  private static ChangeMessageVisibilityBatchRequestEntry change(
      int id, String handle, int seconds) {
    return ChangeMessageVisibilityBatchRequestEntry.builder()
        .id(Integer.toString(id))
        .receiptHandle(handle)
        .visibilityTimeout(seconds)
        .build();
  }
}
