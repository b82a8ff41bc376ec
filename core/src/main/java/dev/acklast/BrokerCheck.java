package dev.acklast;

import dev.acklast.spi.Facts;
import dev.acklast.spi.RefusedException;
import java.time.Duration;

/** Checks whether the broker, as its adapter found it, leaves room for what is configured. */
final class BrokerCheck {
  private final ConsumerSettings<?> settings;
  private final boolean parksRetries;

  BrokerCheck(ConsumerSettings<?> settings) {
    this.settings = settings;
    this.parksRetries = settings.parksRetries();
  }

  /** Refuses what cannot keep the promise; the text says what to change. */
  void check(Facts facts) throws RefusedException {
    Integer limit = facts.deliveryLimit();
    int needed = settings.failures().maxAttempts() + facts.spareDeliveries();
    if (limit != null && limit <= needed) {
      throw new RefusedException(
          "the broker removes a message after "
              + limit
              + " deliveries, which is not more than max-attempts + "
              + facts.spareDeliveries()
              + " = "
              + needed
              + ": raise the broker's limit, or lower max-attempts");
    }
    checkLease(facts.lease());
    Duration longest = settings.failures().backoff().max();
    if (facts.retention() != null && parksRetries && longest.compareTo(facts.retention()) > 0) {
      throw new RefusedException(
          "the source keeps messages for "
              + facts.retention()
              + " only, but a retry may wait "
              + longest
              + ": lower the backoff's max-interval");
    }
  }

  private void checkLease(@org.jspecify.annotations.Nullable Duration lease) {
    if (lease == null) {
      return;
    }
    Duration timeout = settings.flow().handlerTimeout().plus(RunGuard.GRACE);
    if (timeout.compareTo(lease) > 0) {
      throw new RefusedException(
          "the broker takes a message back after "
              + lease
              + ", but a handler may take "
              + settings.flow().handlerTimeout()
              + ": lower handler-timeout, or raise the broker's limit");
    }
    Duration longest = settings.failures().backoff().max();
    if (parksRetries && longest.compareTo(lease.dividedBy(2)) > 0) {
      throw new RefusedException(
          "retries wait in memory here, and the broker takes a message back after "
              + lease
              + ", but a retry may wait "
              + longest
              + ": lower the backoff's max-interval to half of the broker's limit");
    }
  }
}
