package dev.acklast.testkit;

import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queues of a broker in memory, as core sees them. Immutable; opens nothing. */
record InMemorySource(QueueServer server, InMemoryOptions options, List<String> queues)
    implements Source {
  @Override
  public String name() {
    return "memory:" + String.join(",", queues);
  }

  @Override
  public String system() {
    return "memory";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(
        options.nativeRetry(),
        options.ordered() ? Capabilities.Order.ON_REQUEST : Capabilities.Order.NONE);
  }

  @Override
  public Subscription subscribe(SourceSettings settings, Sink sink) {
    String deadLetter = settings.deadLetter();
    if (deadLetter != null && queues.contains(deadLetter)) {
      throw new IllegalArgumentException(
          "dead-letter queue "
              + deadLetter
              + " is a source of "
              + settings.consumer()
              + "; name another queue");
    }
    return new InMemorySubscription(this, settings, sink);
  }

  /** Where dead letters of a queue go. */
  static String deadLetterOf(String queue, @Nullable String configured) {
    return configured == null ? queue + ".dlq" : configured;
  }
}
