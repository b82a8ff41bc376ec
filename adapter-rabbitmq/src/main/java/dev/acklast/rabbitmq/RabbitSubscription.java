package dev.acklast.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.acklast.spi.Health;
import dev.acklast.spi.Pacing;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.Sink;
import dev.acklast.spi.SourceSettings;
import dev.acklast.spi.Subscription;
import dev.acklast.spi.TroubleLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection for consuming up, and a {@link QueueConsumer} for each queue on it. What
 * changes its state runs on the control thread.
 */
final class RabbitSubscription implements Subscription {
  private static final Duration CANCEL_LIMIT = Duration.ofSeconds(4);
  private static final Duration LAST_RESERVE = Duration.ofMillis(500);

  private final Sink sink;
  private final Workers workers;
  private final Connector connector;
  private final Publisher publisher;
  private final BrokerFacts brokerFacts;
  private final TroubleLog log;
  private final List<QueueConsumer> consumers;
  private final Pacing pacing = new Pacing();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable Connection connection;
  private volatile @Nullable String trouble = "it is not started";
  private volatile boolean stopped;
  private boolean wasOpen;

  /**
   * Checks settings against options; nothing is started.
   *
   * @throws IllegalArgumentException if they contradict each other
   */
  RabbitSubscription(
      ConnectionFactory factory, Options options, SourceSettings settings, Sink sink) {
    int queues = options.queues().size();
    if (settings.ordered() && !options.ordered()) {
      throw new IllegalArgumentException(
          "RabbitMQ keeps order for one consumer only: choose exclusive() or singleActiveConsumer()"
              + " on the source, or give up orderedBy");
    }
    if (settings.prefetch() < queues) {
      String prefetch = "A prefetch of " + settings.prefetch() + " cannot be divided among ";
      throw new IllegalArgumentException(prefetch + queues + " queues: raise it to that at least");
    }
    this.sink = sink;
    this.workers = new Workers(settings.consumer());
    this.connector = new Connector(factory, workers, settings.consumer());
    this.log = new TroubleLog(RabbitSource.class, settings.consumer());
    this.publisher = new Publisher(connector, workers, log);
    this.brokerFacts = new BrokerFacts(options, connector.factory());
    QueueConsumer.Link link = new QueueConsumer.Link(sink, workers, publisher, log);
    this.consumers =
        options.queues().stream()
            .map(
                queue -> {
                  Outlets outlets = new Outlets(queue, options, settings);
                  int share = settings.prefetch() / queues;
                  return new QueueConsumer(queue, options, share, outlets, link);
                })
            .toList();
  }

  @Override
  public void start() {
    trouble = "it is connecting to RabbitMQ at " + connector.where();
    workers.control(this::connect);
  }

  @Override
  public void pause() {
    workers.control(() -> consumers.forEach(QueueConsumer::pause));
  }

  @Override
  public void resume() {
    workers.control(() -> consumers.forEach(QueueConsumer::resume));
  }

  @Override
  public void stopIntake() {
    stopped = true;
    consumers.forEach(QueueConsumer::shut);
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    workers.control(
        () -> {
          consumers.forEach(QueueConsumer::cancel);
          workers.callback(() -> cancelled.complete(null)); // behind most of what the client holds
        });
    await(cancelled, CANCEL_LIMIT);
  }

  @Override
  public void close(Duration deadline) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long end = System.nanoTime() + deadline.toNanos();
    trouble = "it is closed";
    stopped = true;
    consumers.forEach(QueueConsumer::shut);
    Duration left = deadline.minus(LAST_RESERVE);
    await(publisher.quiet(), left.dividedBy(2));
    CompletableFuture<Void> orderly = new CompletableFuture<>();
    workers.threads("close").newThread(() -> closeInOrder(orderly)).start();
    await(orderly, Duration.ofNanos(end - System.nanoTime()).minus(LAST_RESERVE));
    connector.cut();
    workers.shutdown(end + LAST_RESERVE.toNanos());
    publisher.end();
  }

  private void closeInOrder(CompletableFuture<Void> done) {
    consumers.forEach(QueueConsumer::close);
    Connection current = connection;
    if (current != null) {
      current.abort();
    }
    publisher.close();
    done.complete(null);
  }

  /** Waits at most this long: what is not done by then is left to the broker. */
  private static void await(Future<?> what, Duration limit) {
    try {
      what.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // It goes on without.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Health health() {
    String down = trouble;
    if (down != null) {
      return Health.down(down);
    }
    List<String> silent =
        consumers.stream().map(QueueConsumer::trouble).filter(Objects::nonNull).toList();
    List<String> reasons = new ArrayList<>(silent);
    consumers.forEach(consumer -> reasons.addAll(consumer.outlets().troubles()));
    String publishing = publisher.trouble();
    if (publishing != null) {
      reasons.add(publishing);
    }
    if (reasons.isEmpty()) {
      return Health.up();
    }
    boolean flows = silent.size() < consumers.size();
    return new Health(flows ? Health.Status.DEGRADED : Health.Status.DOWN, reasons);
  }

  private void connect() {
    if (stopped) {
      return;
    }
    Connection made = null;
    try {
      made = connector.open("consume");
      Connection current = made;
      connection = made;
      made.addShutdownListener(signal -> workers.control(() -> lost(current, signal)));
      openOn(made);
    } catch (RefusedException e) {
      again(made, String.valueOf(e.getMessage()), null);
    } catch (IOException | TimeoutException | RuntimeException e) {
      again(made, connector.why(e), e);
    }
  }

  private void openOn(Connection made) {
    List<Outlets> outlets = consumers.stream().map(QueueConsumer::outlets).toList();
    List<String> found = outlets.stream().flatMap(each -> lookFor(each, made)).toList();
    sink.opened(brokerFacts.read(made, outlets, found));
    wasOpen = true;
    trouble = null;
    pacing.up();
    log.mended("connection", "connected with RabbitMQ at " + connector.where());
    consumers.forEach(consumer -> consumer.connected(made));
  }

  /**
   * At first nothing is consumed without a dead-letter target; later a missing one only degrades.
   *
   * @return warnings
   */
  private Stream<String> lookFor(Outlets outlets, Connection made) {
    try {
      return outlets.look(made).stream();
    } catch (RefusedException e) {
      if (!wasOpen) {
        throw e;
      }
      log.trouble("dead letters", String.valueOf(e.getMessage()), null);
      return Stream.of();
    }
  }

  private void again(@Nullable Connection made, String sentence, @Nullable Throwable cause) {
    connection = null;
    if (closed.get()) {
      return;
    }
    trouble = sentence;
    if (made != null) {
      made.abort(1000);
    }
    log.trouble("connection", sentence, cause);
    workers.controlLater(this::connect, pacing.next());
  }

  private void lost(Connection which, ShutdownSignalException signal) {
    if (which != connection || closed.get()) {
      return;
    }
    String sentence = Diagnosis.connectionLost(signal, connector.where());
    consumers.forEach(consumer -> consumer.disconnected(sentence));
    again(null, sentence, signal);
  }
}
