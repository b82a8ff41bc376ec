package dev.acklast.metrics;

import dev.acklast.AcklastListener;
import dev.acklast.ConsumerLoad;
import dev.acklast.DeathReason;
import dev.acklast.MessageInfo;
import dev.acklast.spi.RedeliveryHint;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times a consumer's messages in a Micrometer registry. The tags are the consumer's name
 * and words from closed sets, so the number of series is bounded whatever the messages hold. Names
 * and tags are listed in {@code docs/operations.md}. Meters are removed when the last consumer of
 * their name is closed. Thread-safe; one instance may serve several consumers.
 */
public final class AcklastMetrics implements AcklastListener {
  private final MeterRegistry registry;
  private final Map<String, ConsumerMeters> meters = new ConcurrentHashMap<>();

  /** Counts in this registry. */
  @SuppressWarnings("exports") // who has a registry to hand over has Micrometer
  public AcklastMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void started(String consumer, ConsumerLoad load) {
    meters.compute(
        consumer,
        (name, known) -> {
          ConsumerMeters all = known == null ? new ConsumerMeters(registry, name) : known;
          all.opened(load);
          return all;
        });
  }

  @Override
  public void closed(String consumer, ConsumerLoad load) {
    meters.computeIfPresent(consumer, (name, known) -> known.closed(load) ? null : known);
  }

  private @Nullable ConsumerMeters of(MessageInfo message) {
    return meters.get(message.consumer());
  }

  private void count(MessageInfo message, String outcome) {
    ConsumerMeters all = of(message);
    if (all != null) {
      all.counter("acklast.messages", "outcome", outcome).increment();
    }
  }

  @Override
  public void received(MessageInfo message) {
    ConsumerMeters all = of(message);
    RedeliveryHint hint = message.envelope().hint();
    if (all != null) {
      all.counter("acklast.received", "hint", hint.name().toLowerCase(Locale.ROOT)).increment();
    }
  }

  @Override
  public void duplicate(MessageInfo message) {
    count(message, "duplicate");
  }

  @Override
  public void effectDone(MessageInfo message, Duration took) {
    ConsumerMeters all = of(message);
    if (all != null) {
      all.timer("acklast.effect").record(took);
    }
  }

  @Override
  public void committed(MessageInfo message) {
    count(message, "applied");
    ConsumerMeters all = of(message);
    if (all != null) {
      all.timer("acklast.committed.after").record(message.ageNanos(), TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void attemptFailed(MessageInfo message, int attempts, Throwable failure) {
    increment(message, "acklast.attempts.failed");
  }

  @Override
  public void rerun(MessageInfo message) {
    increment(message, "acklast.reruns");
  }

  @Override
  public void retried(MessageInfo message, Duration delay) {
    increment(message, "acklast.retries");
  }

  @Override
  public void deadLettered(MessageInfo message, DeathReason reason) {
    count(message, "dead_lettered");
    ConsumerMeters all = of(message);
    if (all != null) {
      all.counter("acklast.dead.letters", "reason", reason.name().toLowerCase(Locale.ROOT))
          .increment();
    }
  }

  @Override
  public void skipped(MessageInfo message) {
    count(message, "skipped");
  }

  @Override
  public void released(MessageInfo message) {
    increment(message, "acklast.releases");
  }

  @Override
  public void settleFailed(MessageInfo message, String reason) {
    increment(message, "acklast.settle.failures");
  }

  @Override
  public void outageOpened(String consumer, String reason) {
    ConsumerMeters all = meters.get(consumer);
    if (all != null) {
      all.outage(true);
    }
  }

  @Override
  public void outageClosed(String consumer, Duration lasted) {
    ConsumerMeters all = meters.get(consumer);
    if (all != null) {
      all.outage(false);
      all.timer("acklast.outages").record(lasted);
    }
  }

  private void increment(MessageInfo message, String name) {
    ConsumerMeters all = of(message);
    if (all != null) {
      all.counter(name).increment();
    }
  }
}
