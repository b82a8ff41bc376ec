package dev.acklast.testkit.flaw;

import dev.acklast.spi.Delivery;
import dev.acklast.spi.Health;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Flaws of connections, health and closing. */
final class LifeFlaws {
  private LifeFlaws() {}

  static final class NeverReconnects extends Behaviour {
    private volatile boolean deaf;

    @Override
    void opened(int before) {
      deaf = before > 0;
    }

    @Override
    @Nullable Delivery delivery(Delivery received) {
      return deaf ? null : received;
    }
  }

  static final class AlwaysUp extends Behaviour {
    @Override
    Health health(Subscription subscription) {
      return Health.up();
    }
  }

  static final class IgnoresPause extends Behaviour {
    @Override
    void pause(Subscription subscription) {
      // That is the flaw.
    }
  }

  static final class HangsOnClose extends Behaviour {
    private static final Duration FOR_LONG = Duration.ofSeconds(25);

    @Override
    void close(Subscription subscription, Duration deadline) {
      try {
        Thread.sleep(FOR_LONG.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      super.close(subscription, deadline);
    }
  }

  static final class LeaksAThread extends Behaviour {
    private static final Duration LIFE = Duration.ofMinutes(2);

    @Override
    void opened(int before) {
      Thread leaked =
          new Thread(
              () -> {
                try {
                  Thread.sleep(LIFE.toMillis());
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              },
              "acklast-leaked");
      leaked.setDaemon(true);
      leaked.start();
    }
  }

  static final class KeepsAfterClose extends Behaviour {
    @Override
    void close(Subscription subscription, Duration deadline) {
      // That is the flaw: the connection stays, and with it what is unsettled.
    }
  }
}
