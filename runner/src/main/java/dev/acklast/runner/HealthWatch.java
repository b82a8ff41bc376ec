package dev.acklast.runner;

import dev.acklast.spi.Health;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a consumer's health when it changes. Confined to one thread. */
final class HealthWatch {
  private static final Logger LOG = LoggerFactory.getLogger(HealthWatch.class);

  private final String consumer;
  private final Supplier<Health> health;
  private Health last = Health.up();

  HealthWatch(String consumer, Supplier<Health> health) {
    this.consumer = consumer;
    this.health = health;
  }

  void look() {
    Health now = health.get();
    if (now.equals(last)) {
      return;
    }
    if (now.status() == Health.Status.UP) {
      LOG.info("{} is UP", consumer);
    } else {
      LOG.warn("{} is {}: {}", consumer, now.status(), String.join("; ", now.reasons()));
    }
    last = now;
  }
}
