package dev.acklast.metrics;

import dev.acklast.ConsumerLoad;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToIntFunction;

/** All meters of one consumer's name. Thread-safe. */
final class ConsumerMeters {
  private final MeterRegistry registry;
  private final Tags consumer;
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();
  private final List<Meter> gauges = new CopyOnWriteArrayList<>();
  private final List<ConsumerLoad> loads = new CopyOnWriteArrayList<>();
  private volatile int outage;

  ConsumerMeters(MeterRegistry registry, String name) {
    this.registry = registry;
    this.consumer = Tags.of("consumer", name);
    gauge("acklast.unsettled", ConsumerLoad::unsettled);
    gauge("acklast.waiting", ConsumerLoad::waiting);
    gauge("acklast.held.back", ConsumerLoad::heldBack);
    gauge("acklast.lanes.busy", ConsumerLoad::busyLanes);
    gauges.add(
        Gauge.builder("acklast.outage", this, all -> all.outage).tags(consumer).register(registry));
  }

  private void gauge(String name, ToIntFunction<ConsumerLoad> number) {
    gauges.add(
        Gauge.builder(name, loads, all -> all.stream().mapToInt(number).sum())
            .tags(consumer)
            .register(registry));
  }

  void opened(ConsumerLoad load) {
    loads.add(load);
  }

  /** Removes all meters with the last consumer of this name. */
  boolean closed(ConsumerLoad load) {
    loads.remove(load);
    if (!loads.isEmpty()) {
      return false;
    }
    counters.values().forEach(registry::remove);
    timers.values().forEach(registry::remove);
    gauges.forEach(registry::remove);
    return true;
  }

  void outage(boolean active) {
    outage = active ? 1 : 0;
  }

  Counter counter(String name, String... tag) {
    return counters.computeIfAbsent(
        name + String.join(",", tag), unused -> registry.counter(name, consumer.and(tag)));
  }

  Timer timer(String name) {
    return timers.computeIfAbsent(name, unused -> registry.timer(name, consumer));
  }
}
