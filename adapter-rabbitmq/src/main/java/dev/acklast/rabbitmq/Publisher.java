package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.acklast.spi.Pacing;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.TroubleLog;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes copies on a connection of its own, so that a broker that stops reading from publishers
 * (memory or disk alarm) still hears our acks. Every copy is mandatory and confirmed, and answered
 * within five seconds, whatever the publishing thread is waiting for. Thread-safe.
 */
final class Publisher {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration STUCK = Duration.ofSeconds(30);
  private static final int CHANNELS = 16;

  private final Connector connector;
  private final Workers workers;
  private final TroubleLog log;
  private final Set<Copy> underWay = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<PublishChannel> free = new LinkedBlockingQueue<>();
  private final Set<PublishChannel> channels = new HashSet<>(); // of the publishing thread
  private final Pacing pacing = new Pacing(); // as this
  private long connectAt = System.nanoTime(); // as this
  private volatile @Nullable Connection connection;
  private volatile @Nullable String connectTrouble;
  private volatile @Nullable String blocked;
  private volatile boolean ended;

  Publisher(Connector connector, Workers workers, TroubleLog log) {
    this.connector = connector;
    this.workers = workers;
    this.log = log;
  }

  /**
   * Sends a copy; the answer is DONE when a queue has it and the broker has said so, else FAILED.
   */
  CompletableFuture<SettleResult> publish(Outlet outlet, BasicProperties properties, byte[] body) {
    Copy copy = new Copy(outlet, properties, body, workers.callbacks());
    underWay.add(copy);
    Future<?> limit = workers.callbackLater(copy::expired, LIMIT);
    String alarm = blocked;
    if (ended) {
      copy.closed();
    } else if (alarm != null) {
      copy.answered(alarm, null);
    } else {
      workers.publish(() -> send(copy));
    }
    return copy.answer()
        .whenComplete(
            (result, none) -> {
              limit.cancel(false);
              underWay.remove(copy);
            });
  }

  /** Completes when no copy is under way, and what core does about it is done. */
  CompletableFuture<Void> quiet() {
    var answers = underWay.stream().map(Copy::answer).toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(answers).thenRunAsync(() -> {}, workers.callbacks());
  }

  /** Closes the connection; may hang with the broker. */
  void close() {
    Connection current = connection;
    if (current != null) {
      current.abort(1000);
    }
  }

  /** Answers what nobody will answer any more: to be called when the threads have ended. */
  void end() {
    ended = true;
    underWay.forEach(Copy::closed);
  }

  /** What hinders publishing altogether; null if nothing is known to. */
  @Nullable String trouble() {
    String alarm = blocked;
    return alarm == null ? connectTrouble : alarm;
  }

  private void send(Copy copy) {
    if (copy.isOver()) {
      return;
    }
    try {
      Connection current = connected();
      copy.prepare(current);
      PublishChannel channel = freeChannel(current);
      if (copy.isOver()) {
        free.add(channel); // it took too long
      } else {
        channel.send(copy);
      }
    } catch (IOException | TimeoutException | RuntimeException e) {
      copy.answered(Diagnosis.text(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // everything ends
    }
  }

  private PublishChannel freeChannel(Connection on) throws IOException, InterruptedException {
    while (true) {
      channels.removeIf(channel -> !channel.isOpen());
      PublishChannel channel = free.poll();
      if (channel == null && channels.size() < CHANNELS) {
        channel = new PublishChannel(on, free::add);
        channels.add(channel);
      } else if (channel == null) {
        channel = free.poll(STUCK.toMillis(), TimeUnit.MILLISECONDS);
      }
      if (channel == null) {
        on.abort(1000);
        throw new IOException("no answer on any channel for " + STUCK + ": starting afresh");
      }
      if (channel.isOpen()) {
        return channel;
      }
    }
  }

  private Connection connected() throws IOException, TimeoutException {
    Connection current = connection;
    if (current != null && current.isOpen()) {
      return current;
    }
    String known = connectTrouble;
    if (known != null && System.nanoTime() - connectAt < 0) {
      throw new RefusedException(known);
    }
    try {
      blocked = null;
      Connection made = connector.open("publish");
      made.addBlockedListener(this::blocked, () -> blocked = null);
      made.addShutdownListener(this::lost);
      connection = made;
      connectTrouble = null;
      pacing.up();
      log.mended("publishing", "copies can be published again");
      return made;
    } catch (IOException | TimeoutException | RuntimeException e) {
      String sentence = "no copies can be published: " + connector.why(e);
      connectTrouble = sentence;
      connectAt = System.nanoTime() + pacing.next().toNanos();
      log.trouble("publishing", sentence, e);
      throw e;
    }
  }

  private void blocked(String reason) {
    blocked = "RabbitMQ takes no publishes (" + reason + "): free memory or disk on the broker";
  }

  private void lost(ShutdownSignalException signal) {
    blocked = null;
    if (!signal.isInitiatedByApplication()) {
      log.trouble("publishing", Diagnosis.connectionLost(signal, connector.where()), signal);
    }
  }
}
