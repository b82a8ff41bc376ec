package dev.acklast.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a workload at a steady rate on a thread of its own, and logs what became of each
 * publish. What was not confirmed is logged as unknown and published again under the same message
 * id, until it is confirmed. Thread-safe.
 */
final class Producer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Producer.class);
  private static final int CHUNK = 50;
  private static final Duration BEAT = Duration.ofMillis(50);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Pending pending;
  private final OutletOpener opener;
  private final PublicationLog publications;
  private final int rate;
  private final Map<String, Message> unconfirmed = new LinkedHashMap<>();
  private final AtomicLong confirmed = new AtomicLong();
  private final Thread thread = new Thread(this::run, "chaos-producer");
  private volatile boolean drawing = true;
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;
  private @Nullable Outlet outlet;

  /**
   * @param rate intents a second
   */
  Producer(Workload workload, OutletOpener opener, PublicationLog publications, int rate) {
    this.pending = new Pending(workload);
    this.opener = opener;
    this.publications = publications;
    this.rate = rate;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Publishes that were confirmed. */
  long confirmed() {
    return confirmed.get();
  }

  /**
   * Draws no more intents.
   *
   * @return whether all that was begun is confirmed
   * @throws IllegalStateException if the producer has died
   */
  boolean finish() {
    drawing = false;
    Throwable died = failure;
    if (died != null) {
      throw new IllegalStateException("The producer has died", died);
    }
    return !thread.isAlive();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void run() {
    try {
      long began = System.nanoTime();
      while (drawing && !closed) {
        long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
        enqueue(pending.next(millis, millis * rate / 1_000));
        publishOrPause();
      }
      enqueue(pending.rest());
      while (!unconfirmed.isEmpty() && !closed) {
        publishOrPause();
      }
    } catch (InterruptedException e) {
      log.debug("The producer was interrupted");
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } finally {
      closeOutlet();
    }
  }

  private void enqueue(List<Message> messages) {
    messages.forEach(message -> unconfirmed.put(message.id(), message));
  }

  private void publishOrPause() throws InterruptedException, IOException {
    if (unconfirmed.isEmpty()) {
      Thread.sleep(BEAT.toMillis());
      return;
    }
    List<Message> chunk = unconfirmed.values().stream().limit(CHUNK).toList();
    Set<Message> taken = ConcurrentHashMap.newKeySet();
    Exception trouble = publish(chunk, taken);
    List<Message> good = chunk.stream().filter(taken::contains).toList();
    good.forEach(message -> unconfirmed.remove(message.id()));
    publications.confirmed(good);
    confirmed.addAndGet(good.size());
    if (trouble != null) {
      List<Message> unknown = new ArrayList<>(chunk);
      unknown.removeAll(good);
      publications.unknown(unknown);
      log.debug("{} publishes of unknown outcome", unknown.size(), trouble);
      closeOutlet();
      Thread.sleep(PAUSE.toMillis());
    }
  }

  private @Nullable Exception publish(List<Message> chunk, Set<Message> taken)
      throws InterruptedException {
    try {
      if (outlet == null) {
        outlet = opener.open();
      }
      outlet.publish(chunk, taken::add);
      return null;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return e;
    }
  }

  private void closeOutlet() {
    try {
      if (outlet != null) {
        outlet.close();
      }
    } catch (Exception e) {
      log.debug("The producer's connection did not close in order", e);
    } finally {
      outlet = null;
    }
  }
}
