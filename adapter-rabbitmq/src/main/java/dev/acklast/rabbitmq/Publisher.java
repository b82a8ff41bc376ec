package dev.acklast.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.acklast.spi.Pacing;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.TroubleLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes copies on a connection of its own, so that a broker that stops reading from publishers
 * (memory or disk alarm) still hears our acks. Every copy is mandatory and confirmed, and answered
 * within five seconds. All but {@link #publish}, {@link #trouble} and {@link #close} runs on the
 * publishing thread.
 */
final class Publisher {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration STUCK = Duration.ofSeconds(30);
  private static final int CHANNELS = 16;

  private final Connector connector;
  private final Workers workers;
  private final TroubleLog log;
  private final Deque<PublishJob> waiting = new ArrayDeque<>();
  private final Deque<PublishChannel> free = new ArrayDeque<>();
  private final Set<PublishChannel> open = new HashSet<>();
  private final Set<PublishJob> underWay = ConcurrentHashMap.newKeySet();
  private final Pacing pacing = new Pacing();
  private long connectAt = System.nanoTime();
  private long freeAt = System.nanoTime();
  private volatile @Nullable Connection connection;
  private volatile @Nullable String connectTrouble;
  private volatile @Nullable String blocked;

  Publisher(Connector connector, Workers workers, TroubleLog log) {
    this.connector = connector;
    this.workers = workers;
    this.log = log;
  }

  /**
   * Sends a copy; the answer is DONE when a queue has it and the broker has said so, else FAILED.
   */
  CompletableFuture<SettleResult> publish(Copy copy) {
    PublishJob job = new PublishJob(copy, workers);
    underWay.add(job);
    CompletableFuture<SettleResult> answer =
        job.answer().whenComplete((result, none) -> underWay.remove(job));
    boolean accepted = workers.answerLater(job::expired, LIMIT) && workers.publish(() -> take(job));
    if (!accepted) {
      job.failed("the subscription is closed", null);
    }
    return answer;
  }

  /** Waits until no copy is under way and what core does about it is done, at most this long. */
  void awaitQuiet(Duration limit) throws InterruptedException {
    try {
      CompletableFuture<?> all =
          CompletableFuture.allOf(
              underWay.stream().map(PublishJob::answer).toArray(CompletableFuture<?>[]::new));
      all.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      CompletableFuture<Void> behind = new CompletableFuture<>();
      if (workers.answer(() -> behind.complete(null))) {
        behind.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      // What is not through by now is left to the broker, which delivers the original again.
    }
  }

  /** What hinders publishing altogether; null if nothing is known to. */
  @Nullable String trouble() {
    String reason = blocked;
    return reason == null
        ? connectTrouble
        : "RabbitMQ takes no publishes ("
            + reason
            + "): free memory or disk on the broker. Retries"
            + " and dead letters wait";
  }

  /** Closes the connection; may hang with the broker. */
  void close() {
    Connection current = connection;
    if (current != null) {
      current.abort(1000);
    }
  }

  private void take(PublishJob job) {
    String reason = blocked;
    if (reason != null) {
      job.failed("RabbitMQ takes no publishes (" + reason + ")", null);
      return;
    }
    waiting.add(job);
    drain();
  }

  private void drain() {
    while (!waiting.isEmpty()) {
      PublishJob job = waiting.peek();
      if (job.isOver()) {
        waiting.remove();
        continue;
      }
      PublishChannel channel;
      try {
        Connection current = connected();
        job.copy().target().ready(current);
        channel = freeChannel(current);
      } catch (IOException | TimeoutException | RuntimeException e) {
        waiting.remove();
        job.failed(Diagnosis.text(e), e);
        continue;
      }
      if (channel == null) {
        return; // goes on when one becomes free
      }
      waiting.remove();
      channel.send(job);
    }
  }

  private @Nullable PublishChannel freeChannel(Connection current) throws IOException {
    PublishChannel channel;
    while ((channel = free.poll()) != null) {
      if (channel.isOpen()) {
        freeAt = System.nanoTime();
        return channel;
      }
    }
    if (open.size() < CHANNELS) {
      PublishChannel added =
          PublishChannel.open(
              current,
              one -> workers.publish(() -> freed(one)),
              one -> workers.publish(() -> gone(one)));
      open.add(added);
      freeAt = System.nanoTime();
      return added;
    }
    if (System.nanoTime() - freeAt > STUCK.toNanos()) {
      current.abort(1000); // no answer on any channel for so long: start afresh
    }
    return null;
  }

  private void freed(PublishChannel channel) {
    free.add(channel);
    drain();
  }

  private void gone(PublishChannel channel) {
    open.remove(channel);
    free.remove(channel);
    drain();
  }

  private Connection connected() throws IOException, TimeoutException {
    Connection current = connection;
    if (current != null && current.isOpen()) {
      return current;
    }
    String known = connectTrouble;
    if (known != null && System.nanoTime() - connectAt < 0) {
      throw new TopologyException(known, null);
    }
    try {
      return connect();
    } catch (IOException | TimeoutException | RuntimeException e) {
      String sentence =
          "no copies can be published: "
              + Diagnosis.connecting(e, connector.where(), connector.virtualHost());
      connectTrouble = sentence;
      connectAt = System.nanoTime() + pacing.next().toNanos();
      log.trouble("publishing", sentence, e);
      throw e;
    }
  }

  private Connection connect() throws IOException, TimeoutException {
    blocked = null;
    free.clear();
    open.clear();
    Connection made = connector.open("publish");
    made.addBlockedListener(reason -> setBlocked(made, reason), () -> setBlocked(made, null));
    made.addShutdownListener(signal -> lost(made, signal));
    connection = made;
    connectTrouble = null;
    pacing.up();
    log.mended("publishing", "copies can be published again");
    return made;
  }

  private void setBlocked(Connection from, @Nullable String reason) {
    if (from == connection) {
      blocked = reason;
      if (reason == null) {
        workers.publish(this::drain);
      }
    }
  }

  private void lost(Connection from, ShutdownSignalException signal) {
    if (from == connection && !signal.isInitiatedByApplication()) {
      blocked = null;
      log.trouble("publishing", Diagnosis.connectionLost(signal, connector.where()), signal);
    }
  }
}
