package dev.acklast.testkit.handler;

import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A source whose connections end together, as they do when a process dies. Thread-safe. */
record MortalSource(Source source, List<Subscription> subscriptions) implements Source {
  MortalSource(Source source) {
    this(source, new CopyOnWriteArrayList<>());
  }

  @Override
  public String name() {
    return source.name();
  }

  @Override
  public String system() {
    return source.system();
  }

  @Override
  public Capabilities capabilities() {
    return source.capabilities();
  }

  @Override
  public Subscription subscribe(SourceSettings settings, Sink sink) {
    Subscription subscription = source.subscribe(settings, sink);
    subscriptions.add(subscription);
    return subscription;
  }

  /** What was unsettled goes back to its queue; acks that come now are too late. */
  void die() {
    subscriptions.forEach(subscription -> subscription.close(Duration.ofMillis(1)));
  }
}
