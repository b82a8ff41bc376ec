package dev.acklast.runner;

import dev.acklast.AcklastListener;
import dev.acklast.IdempotentConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All consumers of a file, started and drained together. */
final class ConsumerGroup {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerGroup.class);

  private final List<Member> members;

  private ConsumerGroup(List<Member> members) {
    this.members = members;
  }

  /**
   * Makes the consumers, not yet started.
   *
   * @throws ConfigException if a consumer's settings contradict each other
   */
  static ConsumerGroup build(
      List<ConsumerConfig> configs, DataSource dataSource, AcklastListener listener) {
    List<Member> members = new ArrayList<>();
    for (ConsumerConfig config : configs) {
      try {
        IdempotentConsumer consumer =
            config.builder().database(dataSource).listener(listener).build();
        members.add(new Member(config, consumer));
      } catch (IllegalArgumentException e) {
        throw new ConfigException("consumers." + config.name() + ": " + e.getMessage());
      }
    }
    return new ConsumerGroup(List.copyOf(members));
  }

  /**
   * Starts all of them. If one cannot start, those that did are drained, and its error is thrown.
   */
  void start() {
    int started = 0;
    try {
      for (Member member : members) {
        member.consumer().start();
        started++;
        LOG.info("{} consumes {}", member.config().name(), member.config().source().name());
      }
    } catch (RuntimeException e) {
      new ConsumerGroup(members.subList(0, started)).drain();
      throw e;
    }
  }

  List<HealthWatch> watches() {
    return members.stream()
        .map(member -> new HealthWatch(member.config().name(), member.consumer()::health))
        .toList();
  }

  /** Drains all at once, each in its own time; returns whether all started work was finished. */
  boolean drain() {
    if (members.isEmpty()) {
      return true;
    }
    List<Callable<Boolean>> drains =
        members.stream().<Callable<Boolean>>map(member -> member::drain).toList();
    ExecutorService threads = Executors.newFixedThreadPool(members.size());
    boolean finished = true;
    try {
      for (Future<Boolean> drained : threads.invokeAll(drains)) {
        finished &= drained.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      LOG.error("a consumer could not be drained", e.getCause());
      return false;
    } finally {
      threads.shutdown();
    }
    return finished;
  }

  private record Member(ConsumerConfig config, IdempotentConsumer consumer) {
    boolean drain() {
      Duration time = config.drain();
      return consumer.drain(time);
    }
  }
}
