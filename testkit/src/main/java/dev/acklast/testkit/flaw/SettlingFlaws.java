package dev.acklast.testkit.flaw;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Flaws of ack and release. */
final class SettlingFlaws {
  private static final Duration A_MOMENT = Duration.ofMillis(1);

  private SettlingFlaws() {}

  static final class AcksBeforeCommit extends Behaviour {
    @Override
    Delivery delivery(Delivery received) {
      received.acker().ack();
      return received;
    }

    @Override
    CompletionStage<SettleResult> ack(Delivery delivery) {
      return done();
    }
  }

  static final class AckNeverSent extends Behaviour {
    @Override
    CompletionStage<SettleResult> ack(Delivery delivery) {
      return done();
    }
  }

  static final class AcksOnClose extends Behaviour {
    private final Set<Delivery> all = ConcurrentHashMap.newKeySet();

    @Override
    Delivery delivery(Delivery received) {
      all.add(received);
      return received;
    }

    @Override
    void close(Subscription subscription, Duration deadline) {
      all.forEach(delivery -> delivery.acker().ack());
      super.close(subscription, deadline);
    }
  }

  static final class AppliesStaleAcks extends Behaviour {
    private final Map<String, Delivery> latest = new ConcurrentHashMap<>();

    @Override
    Delivery delivery(Delivery received) {
      latest.put(String.valueOf(received.envelope().messageId()), received);
      return received;
    }

    @Override
    CompletionStage<SettleResult> ack(Delivery delivery) {
      Delivery current = latest.get(String.valueOf(delivery.envelope().messageId()));
      return (current == null ? delivery : current).acker().ack();
    }
  }

  static final class HidesLateSettles extends Behaviour {
    @Override
    CompletionStage<SettleResult> ack(Delivery delivery) {
      return delivery.acker().ack().thenCompose(result -> done());
    }
  }

  static final class DropsOnRelease extends Behaviour {
    @Override
    CompletionStage<SettleResult> release(Delivery delivery) {
      return delivery.acker().ack();
    }
  }

  static final class ReordersOnRelease extends Behaviour {
    private static final Duration LONGER = Duration.ofMillis(20);
    private boolean longer;

    @Override
    synchronized CompletionStage<SettleResult> release(Delivery delivery) {
      longer = !longer;
      return delivery.acker().retry(longer ? LONGER : A_MOMENT);
    }
  }

  static final class RemovesAfterDeliveries extends Behaviour {
    private static final int LIMIT = 4;
    private final Map<String, Integer> deliveries = new ConcurrentHashMap<>();

    @Override
    @Nullable Delivery delivery(Delivery received) {
      String id = String.valueOf(received.envelope().messageId());
      if (deliveries.merge(id, 1, Integer::sum) > LIMIT) {
        received.acker().ack();
        return null;
      }
      return received;
    }
  }
}
