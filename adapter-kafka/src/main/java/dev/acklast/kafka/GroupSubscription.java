package dev.acklast.kafka;

import dev.acklast.spi.Facts;
import dev.acklast.spi.Health;
import dev.acklast.spi.Pacing;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import dev.acklast.spi.TroubleLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one member in a consumer group, on the one thread that polls: made anew when a topic comes
 * or goes, or after a failure that the client does not mend itself.
 */
final class GroupSubscription implements Subscription {
  private static final Duration ANSWER = Duration.ofSeconds(8);
  private static final Duration LEAVE = Duration.ofSeconds(3);
  private static final Duration RESERVE = Duration.ofMillis(300);

  private final GroupParts parts;
  private final Topics topics;
  private final Lookout lookout;
  private final Valve valve = new Valve();
  private final Pacing pacing = new Pacing();
  private final Thread polling;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable GroupMember member;
  private volatile @Nullable String trouble = "it is not started";
  private boolean wasOpen;

  private GroupSubscription(GroupParts parts, Topics topics) {
    this.parts = parts;
    this.topics = topics;
    this.lookout = new Lookout(topics, parts.options().topics());
    this.polling = new Thread(this::run, "acklast-kafka-" + parts.settings().consumer() + "-poll");
    polling.setDaemon(true);
  }

  /** Checks settings against options, and makes a subscription that is not started. */
  static GroupSubscription create(
      ClientConfig config, Options options, SourceSettings settings, Sink sink) {
    options.requireGroup();
    new StartOffsets(config.reset());
    Topics topics = new Topics(config.admin(settings.consumer()));
    DeadLetters deadLetters = new DeadLetters(config, options, settings, topics);
    TroubleLog log = new TroubleLog(KafkaSource.class, settings.consumer());
    return new GroupSubscription(
        new GroupParts(config, options, settings, sink, log, deadLetters), topics);
  }

  @Override
  public void start() {
    trouble = "it is connecting to Kafka at " + parts.config().servers();
    polling.start();
  }

  @Override
  public void pause() {
    valve.pause(true);
  }

  @Override
  public void resume() {
    valve.pause(false);
  }

  @Override
  public void stopIntake() {
    valve.stop();
  }

  @Override
  public void close(Duration deadline) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    Duration limit = deadline.compareTo(RESERVE) > 0 ? deadline.minus(RESERVE) : deadline;
    valve.close(limit);
    trouble = "it is closed";
    try {
      polling.join(Math.max(1, limit.toMillis()));
      polling.interrupt();
      polling.join(RESERVE.toMillis());
    } catch (InterruptedException e) {
      polling.interrupt();
      Thread.currentThread().interrupt();
    }
    parts.deadLetters().close(valve.left());
    topics.close();
  }

  // ---- the polling thread

  private void run() {
    while (!valve.isClosing()) {
      try {
        consume(prepare());
      } catch (InterruptException | InterruptedException e) {
        return; // only close() interrupts
      } catch (FencedInstanceIdException e) {
        again(Diagnosis.of(e, parts.config().servers()), e);
        return; // to join again would fence the other
      } catch (RefusedException e) {
        again(String.valueOf(e.getMessage()), null);
      } catch (ExecutionException | TimeoutException | RuntimeException e) {
        again(Diagnosis.of(e, parts.config().servers()), e);
      }
      try {
        valve.rest(trouble == null ? Duration.ZERO : pacing.next());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void again(String sentence, @Nullable Throwable cause) {
    if (!closed.get()) {
      trouble = sentence;
      parts.log().trouble("group", sentence, cause);
    }
  }

  /** What must hold before anything is consumed. */
  private Map<String, Uuid> prepare()
      throws ExecutionException, TimeoutException, InterruptedException {
    lookout.answered(answer(topics.find(parts.options().topics())), null);
    Map<String, Uuid> there = lookout.found();
    if (there.isEmpty()) {
      throw new RefusedException(
          "the topics " + parts.options().topics() + " are missing: create them");
    }
    for (String topic : there.keySet()) {
      try {
        answer(parts.deadLetters().ensure(topic));
      } catch (ExecutionException | TimeoutException e) {
        String sentence = Diagnosis.ofDeadLetter(e, parts.deadLetters().target(topic), 0);
        if (!wasOpen) {
          throw new RefusedException(sentence);
        }
        parts.log().trouble("dead letters", sentence, e);
      }
    }
    List<String> deadLetters =
        there.keySet().stream().map(parts.deadLetters()::target).distinct().toList();
    Facts facts = answer(topics.facts(there.keySet(), deadLetters));
    parts.sink().opened(facts);
    return there;
  }

  private static <V> V answer(CompletionStage<V> question)
      throws ExecutionException, TimeoutException, InterruptedException {
    return question.toCompletableFuture().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void consume(Map<String, Uuid> there) throws InterruptedException {
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    Map<String, Object> config =
        parts.config().consumer(parts.options().requireGroup(), parts.settings().consumer());
    GroupMember made = new GroupMember(new KafkaConsumer<>(config, bytes, bytes), parts);
    try {
      made.subscribe(there.keySet());
      member = made;
      trouble = null;
      wasOpen = true;
      pacing.up();
      parts.log().mended("group", "it consumes " + there.keySet());
      while (!valve.isClosing() && lookout.found().equals(there)) {
        lookout.tick();
        made.step(valve);
      }
    } finally {
      member = null;
      made.close(valve.isClosing() ? valve.left() : LEAVE);
    }
  }

  // ---- health

  @Override
  public Health health() {
    String down = trouble;
    Throwable unseen = lookout.failure();
    if (down == null && unseen != null) {
      down = Diagnosis.of(unseen, parts.config().servers());
    }
    GroupMember current = member;
    if (down == null && (current == null || !current.hasJoined())) {
      down = "it is joining the group " + parts.options().group();
    }
    if (down != null || current == null) {
      return Health.down(String.valueOf(down));
    }
    List<String> reasons = new ArrayList<>(current.troubles());
    for (String topic : parts.options().topics()) {
      if (!lookout.found().containsKey(topic)) {
        reasons.add("the topic '" + topic + "' is missing: create it");
      }
    }
    if (reasons.isEmpty()) {
      return Health.up();
    }
    return new Health(current.standsStill() ? Health.Status.DOWN : Health.Status.DEGRADED, reasons);
  }
}
