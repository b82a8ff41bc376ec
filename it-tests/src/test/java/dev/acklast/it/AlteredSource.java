package dev.acklast.it;

import dev.acklast.spi.Capabilities;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.util.function.UnaryOperator;

/** A source in memory that says of itself or of its messages what other brokers would say. */
record AlteredSource(Source sound, Capabilities capabilities, UnaryOperator<Envelope> altered)
    implements Source {
  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public String system() {
    return sound.system();
  }

  @Override
  public Subscription subscribe(SourceSettings settings, Sink sink) {
    return sound.subscribe(
        settings,
        new Sink() {
          @Override
          public void opened(Facts facts) {
            sink.opened(facts);
          }

          @Override
          public void deliver(Delivery delivery) {
            sink.deliver(new Delivery(altered.apply(delivery.envelope()), delivery.acker()));
          }
        });
  }

  /** An envelope with all that the tests of this package use. */
  static Envelope.Builder copy(Envelope envelope) {
    return Envelope.of(envelope.source(), envelope.body())
        .headers(envelope.headers())
        .messageId(envelope.messageId())
        .position(envelope.position())
        .hint(envelope.hint())
        .recordKey(envelope.recordKey())
        .contentType(envelope.contentType());
  }
}
