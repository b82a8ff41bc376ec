package dev.acklast.kafka;

import dev.acklast.spi.Acker;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Health;
import dev.acklast.spi.Pacing;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import dev.acklast.spi.TroubleLog;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A share group's topics, read by as many members as it takes: one more whenever all that are there
 * hold records and there is room for more. One thread looks after them and after the broker.
 */
final class ShareSubscription implements Subscription, ShareCrew, Runnable {
  private static final int MEMBERS = 16;
  private static final int PARTS = 8;
  private static final long TICK_MILLIS = 100;
  private static final long CHECK = TimeUnit.SECONDS.toNanos(2);
  private static final long ANSWER_SECONDS = 10;

  private final ClientConfig config;
  private final Options options;
  private final SourceSettings settings;
  private final Sink sink;
  private final Topics topics;
  private final DeadLetters letters;
  private final ShareGroup group;
  private final TroubleLog log;
  private final Semaphore room;
  private final int batch;
  private final Set<ShareMember> members = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final Pacing pacing = new Pacing(); // guarded by this
  private long nextMember = System.nanoTime(); // guarded by this
  private boolean wasOpen; // the keeper's alone
  private volatile boolean connected;
  private volatile boolean paused;
  private volatile boolean stopped;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile long closeBy;
  private volatile int lastDelivery = 2;
  private volatile @Nullable String brokerTrouble = "not started";
  private volatile @Nullable String memberTrouble;

  ShareSubscription(ClientConfig config, Options options, SourceSettings settings, Sink sink) {
    this.config = config;
    this.options = options;
    this.settings = settings;
    this.sink = sink;
    this.topics = new Topics(config.admin(settings.consumer()));
    this.letters = new DeadLetters(config, options, settings, topics);
    this.group = new ShareGroup(topics, options.requireGroup(), config.reset(), config.isolation());
    this.log = new TroubleLog(KafkaSource.class, settings.consumer());
    this.room = new Semaphore(settings.prefetch());
    this.batch = Math.max(1, settings.prefetch() / PARTS);
  }

  @Override
  public void start() {
    brokerTrouble = "connecting to Kafka at " + config.servers();
    launch(this, "keeper");
  }

  private void launch(Runnable task, String name) {
    Thread thread =
        new Thread(
            () -> {
              task.run();
              threads.remove(Thread.currentThread());
            },
            "acklast-kafka-" + settings.consumer() + "-" + name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /** Looks after broker and members until the end. */
  @Override
  public void run() {
    Pacing patience = new Pacing();
    while (!isClosing()) {
      try {
        open();
        patience.up();
        while (!isClosing()) {
          watch();
        }
      } catch (RuntimeException e) {
        broken(e);
        pause(patience.next());
      }
    }
  }

  private void open() {
    requireTopics();
    requireDeadLetters();
    ShareGroup.Found found = answer(group.open(options.createsTopics()));
    Facts known =
        answer(
            topics.facts(
                options.topics(), options.topics().stream().map(letters::target).toList()));
    sink.opened(found.with(known));
    lastDelivery = found.lastDelivery();
    brokerTrouble = null;
    connected = true;
    wasOpen = true;
    log.mended("broker", "Kafka at " + config.servers() + " answers");
  }

  /** Once it has worked, a dead-letter topic that is gone is trouble for dead letters alone. */
  private void requireDeadLetters() {
    for (String topic : options.topics()) {
      try {
        answer(letters.ensure(topic));
      } catch (RuntimeException e) {
        String sentence = Diagnosis.ofDeadLetter(e, letters.target(topic), 0);
        if (!wasOpen) {
          throw new RefusedException(sentence);
        }
        log.trouble("dead letters", sentence, e);
      }
    }
  }

  private void requireTopics() {
    Set<String> found = answer(topics.find(options.topics())).keySet();
    for (String topic : options.topics()) {
      if (!found.contains(topic)) {
        throw new RefusedException(
            "the topic '" + topic + "' does not exist: create it, or correct its name");
      }
    }
  }

  /** Until the next look at the broker. */
  private void watch() {
    long until = System.nanoTime() + CHECK;
    while (!isClosing() && System.nanoTime() - until < 0) {
      grow();
      pause(Duration.ofMillis(TICK_MILLIS));
    }
    if (!isClosing()) {
      requireTopics();
    }
  }

  private synchronized void grow() {
    if (!isOpen() || System.nanoTime() - nextMember < 0) {
      return;
    }
    int there = members.size();
    if (members.stream().allMatch(ShareMember::isHolding)) {
      int more = Math.min(Math.max(1, there), MEMBERS - there);
      more = Math.min(more, room.availablePermits() / batch);
      for (int i = 0; i < more; i++) {
        ShareMember member = new ShareMember(this, batch, this::client, letters);
        members.add(member);
        launch(member, "member");
      }
    }
  }

  private KafkaShareConsumer<byte[], byte[]> client() {
    Map<String, Object> all =
        config.shareConsumer(options.requireGroup(), settings.consumer(), batch);
    KafkaShareConsumer<byte[], byte[]> client =
        new KafkaShareConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    client.subscribe(options.topics());
    return client;
  }

  private static <R> R answer(CompletionStage<R> question) {
    return question.toCompletableFuture().orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
  }

  private void broken(RuntimeException e) {
    Throwable bare = Diagnosis.bare(e);
    if (isClosing()) {
      return;
    }
    boolean refused = bare instanceof RefusedException;
    if (refused) {
      connected = false; // members end when they hold nothing
    }
    String sentence =
        refused ? String.valueOf(bare.getMessage()) : Diagnosis.of(bare, config.servers());
    brokerTrouble = sentence;
    log.trouble("broker", sentence, refused ? null : bare);
  }

  /** Waits, but not past the order to close. */
  private void pause(Duration time) {
    try {
      boolean unused = closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      closing.countDown();
    }
  }

  @Override
  public boolean isOpen() {
    return connected && !paused && !stopped && !isClosing();
  }

  @Override
  public boolean isClosing() {
    return closing.getCount() == 0;
  }

  @Override
  public Duration timeToClose() {
    long left = isClosing() ? closeBy - System.nanoTime() : TimeUnit.SECONDS.toNanos(5);
    return Duration.ofNanos(Math.max(0, left));
  }

  @Override
  public boolean reserve(int records) {
    try {
      return room.tryAcquire(records, TICK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void free(int records) {
    room.release(records);
  }

  @Override
  public Map<TopicPartition, Integer> leaderEpochs(Set<TopicPartition> partitions) {
    try {
      return answer(group.leaderEpochs(partitions));
    } catch (RuntimeException e) {
      return Map.of(); // then all are suspect
    }
  }

  @Override
  public synchronized boolean deliver(
      ConsumerRecord<byte[], byte[]> record, @Nullable Integer count, Acker acker) {
    if (stopped || isClosing()) {
      return false;
    }
    boolean first = count != null && count == 1;
    RedeliveryHint hint = first ? RedeliveryHint.FIRST : RedeliveryHint.SUSPECT;
    sink.deliver(
        new Delivery(
            Records.envelope(record)
                .hint(hint)
                .lastDelivery(count != null && count >= lastDelivery)
                .toSkip(record.value() == null && !options.deliversTombstones())
                .build(),
            acker));
    return true;
  }

  @Override
  public synchronized void up() {
    pacing.up();
    if (memberTrouble != null) {
      memberTrouble = null;
      log.mended("member", "the share group can be read again");
    }
  }

  @Override
  public boolean maySpare() {
    return members.size() > 1;
  }

  @Override
  public synchronized void ended(ShareMember member, @Nullable Throwable failure) {
    members.remove(member);
    if (failure != null && !isClosing()) {
      String sentence =
          failure instanceof ShareMember.LockLostException
              ? String.valueOf(failure.getMessage())
              : Diagnosis.of(failure, config.servers());
      memberTrouble = sentence;
      log.trouble("member", sentence, failure);
      nextMember = System.nanoTime() + pacing.next().toNanos();
    }
  }

  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    paused = false;
  }

  @Override
  public synchronized void stopIntake() {
    stopped = true; // nothing is handed over while this is held
  }

  @Override
  public void close(Duration deadline) {
    stopIntake();
    closeBy = System.nanoTime() + deadline.toNanos() * 3 / 4;
    closing.countDown();
    long until = System.nanoTime() + deadline.toNanos();
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.forEach(Thread::interrupt);
    letters.close(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
    topics.close();
    brokerTrouble = "closed";
  }

  @Override
  public Health health() {
    String reason = brokerTrouble != null ? brokerTrouble : memberTrouble;
    return reason == null ? Health.up() : Health.down(reason);
  }
}
