package dev.acklast.chaos;

import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A source whose deliveries pass somebody's hands on their way to core. */
record TappedSource(Source sound, UnaryOperator<Delivery> tap) implements Source {
  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public String system() {
    return sound.system();
  }

  @Override
  public Capabilities capabilities() {
    return sound.capabilities();
  }

  @Override
  public Subscription subscribe(SourceSettings settings, Sink sink) {
    return sound.subscribe(settings, new TappedSink(sink, tap));
  }

  private record TappedSink(Sink core, UnaryOperator<Delivery> tap) implements Sink {
    @Override
    public void opened(Facts facts) {
      core.opened(facts);
    }

    @Override
    public void deliver(Delivery delivery) {
      core.deliver(tap.apply(delivery));
    }

    @Override
    public void reclaim(Predicate<? super Envelope> which) {
      core.reclaim(which);
    }
  }
}
