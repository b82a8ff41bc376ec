package dev.acklast.chaos;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Publishes to SQS, whose answer is the confirm. */
record SqsOutlet(SqsQueues queues) implements Outlet {
  @Override
  public void publish(List<Message> messages, Consumer<Message> confirmed) throws IOException {
    for (int from = 0; from < messages.size(); from += SqsQueues.MOST) {
      List<Message> some = messages.subList(from, Math.min(messages.size(), from + SqsQueues.MOST));
      Set<Integer> taken = new HashSet<>(queues.send(some));
      taken.forEach(place -> confirmed.accept(some.get(place)));
      if (taken.size() < some.size()) {
        throw new IOException("SQS has refused a message");
      }
    }
  }

  @Override
  public void close() {
    queues.client().close();
  }
}
