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
    checkDeliveryLimit(facts);
    checkLease(facts.lease());
    Duration longest = settings.failures().backoff().max();
    Duration longestPark = facts.longestPark();
    if (longestPark != null && parksRetries && longest.compareTo(longestPark) > 0) {
      throw new RefusedException(
          "retries wait in memory here, at most "
              + longestPark
              + ", but a retry may wait "
              + longest
              + ": lower the backoff's max-interval");
    }
    if (facts.retention() != null && parksRetries && longest.compareTo(facts.retention()) > 0) {
      throw new RefusedException(
          "the source keeps messages for "
              + facts.retention()
              + " only, but a retry may wait "
              + longest
              + ": lower the backoff's max-interval");
    }
  }

  /** Where the last delivery is known, it becomes a dead letter; elsewhere it must not come. */
  private void checkDeliveryLimit(Facts facts) {
    Integer limit = facts.deliveryLimit();
    if (limit == null) {
      return;
    }
    int needed = settings.failures().maxAttempts() + facts.spareDeliveries();
    if (limit < needed || (limit == needed && !facts.marksLastDelivery())) {
      throw new RefusedException(
          "the broker removes a message after "
              + limit
              + " deliveries, which is "
              + (facts.marksLastDelivery() ? "less than" : "not more than")
              + " max-attempts + "
              + facts.spareDeliveries()
              + " = "
              + needed
              + ": raise the broker's limit, or lower max-attempts");
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
