package dev.acklast.testkit.flaw;

import dev.acklast.spi.Acker;
import dev.acklast.spi.Capabilities;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Health;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Sink;
import dev.acklast.spi.Source;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A sound source with a behaviour between it and core. */
record FlawedSource(Source sound, Supplier<Behaviour> behaviours) implements Source {
  @Override
  public String name() {
    return sound.name();
  }

  @Override
  public String system() {
    return sound.system();
  }

  @Override
  public Capabilities capabilities() {
    return sound.capabilities();
  }

  @Override
  public Subscription subscribe(SourceSettings settings, Sink sink) {
    Behaviour behaviour = behaviours.get();
    Sink between = new FlawedSink(sink, behaviour, new AtomicInteger());
    return new FlawedSubscription(
        sound.subscribe(behaviour.settings(settings), between), behaviour);
  }

  private record FlawedSink(Sink core, Behaviour behaviour, AtomicInteger openings)
      implements Sink {
    @Override
    public void opened(Facts facts) {
      behaviour.opened(openings.getAndIncrement());
      core.opened(facts);
    }

    @Override
    public void deliver(Delivery received) {
      Delivery delivery = behaviour.delivery(received);
      if (delivery != null) {
        core.deliver(
            new Delivery(
                behaviour.envelope(delivery.envelope()), new FlawedAcker(delivery, behaviour)));
      }
    }
  }

  private record FlawedAcker(Delivery delivery, Behaviour behaviour) implements Acker {
    @Override
    public CompletionStage<SettleResult> ack() {
      return behaviour.ack(delivery);
    }

    @Override
    public CompletionStage<SettleResult> retry(Duration delay) {
      return behaviour.retry(delivery, delay);
    }

    @Override
    public CompletionStage<SettleResult> deadLetter(DeathReport report) {
      return behaviour.deadLetter(delivery, report);
    }

    @Override
    public CompletionStage<SettleResult> release() {
      return behaviour.release(delivery);
    }

    @Override
    public boolean isLive() {
      return behaviour.isLive(delivery.acker());
    }
  }

  private record FlawedSubscription(Subscription sound, Behaviour behaviour)
      implements Subscription {
    @Override
    public void start() {
      sound.start();
    }

    @Override
    public void pause() {
      behaviour.pause(sound);
    }

    @Override
    public void resume() {
      sound.resume();
    }

    @Override
    public void stopIntake() {
      behaviour.stopping();
      sound.stopIntake();
    }

    @Override
    public void close(Duration deadline) {
      behaviour.close(sound, deadline);
    }

    @Override
    public Health health() {
      return behaviour.health(sound);
    }
  }
}
