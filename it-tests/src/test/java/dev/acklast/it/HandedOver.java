package dev.acklast.it;

import dev.acklast.spi.Acker;
import dev.acklast.spi.Capabilities;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Counts what sources have handed over and not settled, per queue: Kafka does not tell which
 * records its consumers have. It changes nothing of what it passes on.
 */
final class HandedOver {
  private final Set<Counted> open = ConcurrentHashMap.newKeySet();
  private final Set<Place> acked = ConcurrentHashMap.newKeySet();

  /** Where a message stands. */
  record Place(String source, String position) {
    static Place of(Envelope envelope) {
      return new Place(envelope.source(), envelope.position());
    }
  }

  Source counting(Source source) {
    return new CountingSource(source);
  }

  int unsettled(String queue) {
    return (int)
        open.stream().filter(one -> one.acker.isLive() && one.place.source().equals(queue)).count();
  }

  /** How many messages were acked at positions of partition 0 from this offset on. */
  long ackedFrom(String queue, long offset) {
    return acked.stream()
        .filter(place -> place.source().equals(queue))
        .filter(place -> Long.parseLong(place.position().split(":")[1]) >= offset)
        .count();
  }

  private final class CountingSource implements Source {
    private final Source source;

    CountingSource(Source source) {
      this.source = source;
    }

    @Override
    public String name() {
      return source.name();
    }

    @Override
    public String system() {
      return source.system();
    }

    @Override
    public Capabilities capabilities() {
      return source.capabilities();
    }

    @Override
    public Subscription subscribe(SourceSettings settings, Sink sink) {
      CountingSink counting = new CountingSink(sink);
      return new CountingSubscription(source.subscribe(settings, counting), counting.mine);
    }
  }

  private final class CountingSink implements Sink {
    private final Sink sink;
    private final Set<Counted> mine = ConcurrentHashMap.newKeySet();

    CountingSink(Sink sink) {
      this.sink = sink;
    }

    @Override
    public void opened(Facts facts) {
      sink.opened(facts);
    }

    @Override
    public void deliver(Delivery delivery) {
      Counted counted = new Counted(delivery.acker(), Place.of(delivery.envelope()), mine);
      mine.add(counted);
      open.add(counted);
      sink.deliver(new Delivery(delivery.envelope(), counted));
    }

    @Override
    public void reclaim(Predicate<? super Envelope> which) {
      sink.reclaim(which);
    }
  }

  private final class CountingSubscription implements Subscription {
    private final Subscription subscription;
    private final Set<Counted> mine;

    CountingSubscription(Subscription subscription, Set<Counted> mine) {
      this.subscription = subscription;
      this.mine = mine;
    }

    @Override
    public void start() {
      subscription.start();
    }

    @Override
    public void pause() {
      subscription.pause();
    }

    @Override
    public void resume() {
      subscription.resume();
    }

    @Override
    public void stopIntake() {
      subscription.stopIntake();
    }

    @Override
    public void close(Duration deadline) {
      subscription.close(deadline);
      open.removeAll(mine);
    }

    @Override
    public Health health() {
      return subscription.health();
    }
  }

  private final class Counted implements Acker {
    private final Acker acker;
    private final Place place;
    private final Set<Counted> mine;

    Counted(Acker acker, Place place, Set<Counted> mine) {
      this.acker = acker;
      this.place = place;
      this.mine = mine;
    }

    @Override
    public CompletionStage<SettleResult> ack() {
      return counted(acker.ack(), true);
    }

    @Override
    public CompletionStage<SettleResult> retry(Duration delay) {
      return counted(acker.retry(delay), false);
    }

    @Override
    public CompletionStage<SettleResult> release() {
      return counted(acker.release(), false);
    }

    @Override
    public CompletionStage<SettleResult> deadLetter(DeathReport report) {
      return acker.deadLetter(report);
    }

    @Override
    public boolean isLive() {
      return acker.isLive();
    }

    private CompletionStage<SettleResult> counted(
        CompletionStage<SettleResult> answer, boolean isAck) {
      return answer.thenApply(
          result -> {
            if (result.status() != SettleResult.Status.FAILED) {
              open.remove(this);
              mine.remove(this);
            }
            if (isAck && result.isDone()) {
              acked.add(place);
            }
            return result;
          });
    }
  }
}
