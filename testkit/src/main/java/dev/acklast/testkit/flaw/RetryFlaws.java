package dev.acklast.testkit.flaw;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.SettleResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Flaws of retries and of what is known about them. */
final class RetryFlaws {
  private RetryFlaws() {}

  /** The same message with other headers and another hint. */
  static Envelope changed(Envelope original, Map<String, ?> headers, RedeliveryHint hint) {
    return Envelope.of(original.source(), original.body())
        .headers(headers)
        .position(original.position())
        .hint(hint)
        .messageId(original.messageId())
        .recordKey(original.recordKey())
        .orderingKey(original.orderingKey())
        .contentType(original.contentType())
        .contentEncoding(original.contentEncoding())
        .timestamp(original.timestamp())
        .build();
  }

  static final class DoesNothing extends Behaviour {
    @Override
    CompletionStage<SettleResult> retry(Delivery delivery, Duration delay) {
      return done();
    }
  }

  static final class LosesTheMessage extends Behaviour {
    @Override
    CompletionStage<SettleResult> retry(Delivery delivery, Duration delay) {
      return delivery.acker().ack();
    }
  }

  static final class Early extends Behaviour {
    @Override
    CompletionStage<SettleResult> retry(Delivery delivery, Duration delay) {
      return delivery.acker().retry(Duration.ofMillis(1));
    }
  }

  static final class Late extends Behaviour {
    @Override
    CompletionStage<SettleResult> retry(Delivery delivery, Duration delay) {
      return delivery.acker().retry(Duration.ofSeconds(30));
    }

    @Override
    dev.acklast.spi.SourceSettings settings(dev.acklast.spi.SourceSettings asked) {
      return new dev.acklast.spi.SourceSettings(
          asked.consumer(),
          asked.prefetch(),
          asked.deadLetter(),
          Duration.ofMinutes(1),
          asked.ordered());
    }
  }

  static final class LosesHeaders extends Behaviour {
    @Override
    Envelope envelope(Envelope received) {
      return received.hint() == RedeliveryHint.RETRIED
          ? changed(received, Map.of(), received.hint())
          : received;
    }
  }

  /** One delay queue for all, whose front holds up what is behind it. */
  static final class InTurn extends Behaviour {
    private long frontIsDue;

    @Override
    synchronized CompletionStage<SettleResult> retry(Delivery delivery, Duration delay) {
      long now = System.nanoTime();
      long wait = Math.max(delay.toNanos(), frontIsDue - now);
      frontIsDue = now + wait;
      return delivery.acker().retry(Duration.ofNanos(wait));
    }
  }

  /** The delay is slept on the thread that hands over. */
  static final class HoldsUpOthers extends Behaviour {
    private volatile long until;

    @Override
    CompletionStage<SettleResult> retry(Delivery delivery, Duration delay) {
      until = System.nanoTime() + Duration.ofSeconds(10).toNanos();
      return delivery.acker().retry(delay);
    }

    @Override
    Delivery delivery(Delivery received) {
      while (until != 0 && until - System.nanoTime() > 0) {
        java.util.concurrent.locks.LockSupport.parkNanos(until - System.nanoTime());
      }
      return received;
    }

    @Override
    void stopping() {
      until = 0;
    }
  }

  static final class ResetsTheCounter extends Behaviour {
    @Override
    Envelope envelope(Envelope received) {
      return changed(received, received.headers(), RedeliveryHint.FIRST);
    }
  }
}
