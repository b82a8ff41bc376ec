package dev.acklast.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The copies that are to be published, in the order of the workload: new intents at a steady rate,
 * copies of one intent beside each other, resends when they are due. For one thread.
 */
final class Pending {
  /** A copy that is sent later. */
  private record Resend(long dueMillis, Message message) {}

  private final Workload workload;
  private final PriorityQueue<Resend> resends =
      new PriorityQueue<>(Comparator.comparingLong(Resend::dueMillis));
  private long drawn;

  Pending(Workload workload) {
    this.workload = workload;
  }

  /** How many intents there were. */
  long drawn() {
    return drawn;
  }

  /**
   * What is to be published now.
   *
   * @param nowMillis since the start
   * @param intents how many intents there shall be by now
   */
  List<Message> next(long nowMillis, long intents) {
    List<Message> messages = new ArrayList<>();
    for (; drawn < intents; drawn++) {
      Intent intent = workload.intent(drawn);
      int copies = workload.copies(drawn);
      for (int copy = 1; copy <= copies; copy++) {
        messages.add(Message.copy(intent, copy));
      }
      workload
          .resentAfter(drawn)
          .ifPresent(
              millis ->
                  resends.add(new Resend(nowMillis + millis, Message.copy(intent, copies + 1))));
    }
    while (!resends.isEmpty() && resends.peek().dueMillis() <= nowMillis) {
      messages.add(resends.remove().message());
    }
    return messages;
  }

  /** The resends that are not due yet. */
  List<Message> rest() {
    return next(Long.MAX_VALUE, drawn);
  }
}
