package dev.acklast.testkit.flaw;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.SourceSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Flaws of what is handed over, and how much of it. */
final class DeliveryFlaws {
  private DeliveryFlaws() {}

  static final class HeadersLost extends Behaviour {
    @Override
    Envelope envelope(Envelope received) {
      return RetryFlaws.changed(received, Map.of(), received.hint());
    }
  }

  static final class PropertiesLost extends Behaviour {
    @Override
    Envelope envelope(Envelope received) {
      return Envelope.of(received.source(), received.body())
          .headers(received.headers())
          .position(received.position())
          .hint(received.hint())
          .build();
    }
  }

  static final class BodiesMangled extends Behaviour {
    private static final int LONGEST = 1 << 16;

    @Override
    Envelope envelope(Envelope received) {
      byte[] body =
          new String(received.body(), StandardCharsets.US_ASCII).getBytes(StandardCharsets.UTF_8);
      return Envelope.of(received.source(), Arrays.copyOf(body, Math.min(body.length, LONGEST)))
          .headers(received.headers())
          .position(received.position())
          .hint(received.hint())
          .messageId(received.messageId())
          .build();
    }
  }

  static final class EmptyBodiesDropped extends Behaviour {
    @Override
    @Nullable Delivery delivery(Delivery received) {
      if (received.envelope().body().length == 0) {
        var unused = received.acker().ack();
        return null;
      }
      return received;
    }
  }

  static final class PrefetchIgnored extends Behaviour {
    @Override
    SourceSettings settings(SourceSettings asked) {
      return new SourceSettings(
          asked.consumer(),
          10 * asked.prefetch(),
          asked.deadLetter(),
          asked.longestDelay(),
          asked.ordered());
    }
  }

  /** Holds back acks until there are as many as it was lent messages. */
  static final class PrefetchInBlocks extends Behaviour {
    private final java.util.List<Delivery> held = new java.util.ArrayList<>();
    private int prefetch;

    @Override
    SourceSettings settings(SourceSettings asked) {
      prefetch = asked.prefetch();
      return asked;
    }

    @Override
    synchronized CompletionStage<SettleResult> ack(Delivery delivery) {
      held.add(delivery);
      if (held.size() >= prefetch) {
        held.forEach(each -> each.acker().ack());
        held.clear();
      }
      return done();
    }
  }

  static final class LosesSome extends Behaviour {
    private static final AtomicInteger COUNT = new AtomicInteger();

    @Override
    @Nullable Delivery delivery(Delivery received) {
      if (COUNT.incrementAndGet() % 10 == 0) {
        var unused = received.acker().ack();
        return null;
      }
      return received;
    }
  }

  /** The first of all goes to the end of the queue once. */
  static final class OutOfOrder extends Behaviour {
    private final AtomicInteger seen = new AtomicInteger();

    @Override
    @Nullable Delivery delivery(Delivery received) {
      if (seen.getAndIncrement() == 0) {
        var unused = received.acker().retry(Duration.ofMillis(300));
        return null;
      }
      return received;
    }
  }

  static final class StarvesOthers extends Behaviour {
    private static final AtomicReference<@Nullable Behaviour> SERVED = new AtomicReference<>();

    @Override
    @Nullable Delivery delivery(Delivery received) {
      SERVED.compareAndSet(null, this);
      return SERVED.get() == this ? received : null;
    }

    @Override
    void close(dev.acklast.spi.Subscription subscription, Duration deadline) {
      SERVED.compareAndSet(this, null);
      super.close(subscription, deadline);
    }
  }
}
