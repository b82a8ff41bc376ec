package dev.acklast.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.acklast.spi.Facts;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private volatile List<String> warnings = List.of();
  private volatile boolean stopped;
  private boolean wasOpen;

  private RabbitSubscription(
      ConnectionFactory factory, Options options, SourceSettings settings, Sink sink) {
    this.sink = sink;
    this.workers = new Workers(settings.consumer());
    this.connector = new Connector(factory, workers, settings.consumer());
    this.log = new TroubleLog(RabbitSource.class, settings.consumer());
    this.publisher = new Publisher(connector, workers, log);
    this.brokerFacts = new BrokerFacts(options, settings, connector);
    QueueConsumer.Link link = new QueueConsumer.Link(workers, publisher, log);
    int share = settings.prefetch() / options.queues().size();
    this.consumers =
        options.queues().stream()
            .map(
                queue -> {
                  Outlets outlets = Outlets.of(queue, options, settings);
                  return new QueueConsumer(
                      queue, options, share, sink, new QueueConsumer.Parts(outlets, link));
                })
            .toList();
  }

  /** Checks settings against options, and makes a subscription that is not started. */
  static RabbitSubscription create(
      ConnectionFactory factory, Options options, SourceSettings settings, Sink sink) {
    if (settings.ordered() && !options.ordered()) {
      throw new IllegalArgumentException(
          "RabbitMQ keeps order for one consumer only: choose exclusive() or singleActiveConsumer()"
              + " on the source, or give up orderedBy");
    }
    if (settings.prefetch() < options.queues().size()) {
      throw new IllegalArgumentException(
          "A prefetch of "
              + settings.prefetch()
              + " cannot be divided among "
              + options.queues().size()
              + " queues: raise it to that at least");
    }
    return new RabbitSubscription(factory, options, settings, sink);
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
    CountDownLatch cancelled = new CountDownLatch(1);
    workers.control(
        () -> {
          consumers.forEach(QueueConsumer::cancel);
          workers.deliver(cancelled::countDown); // behind most of what the client holds
        });
    try {
      cancelled.await(CANCEL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
    try {
      publisher.awaitQuiet(remaining(end).dividedBy(2));
      Thread closer = workers.threads("close").newThread(this::closeInOrder);
      closer.start();
      closer.join(Math.max(1, remaining(end).toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connector.cut();
    try {
      workers.shutdown(end + LAST_RESERVE.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Time to do things in order: what is left, but for what the end itself takes. */
  private static Duration remaining(long end) {
    long left = end - System.nanoTime() - LAST_RESERVE.toNanos();
    return Duration.ofNanos(Math.max(0, left));
  }

  private void closeInOrder() {
    consumers.forEach(QueueConsumer::close);
    Connection current = connection;
    if (current != null) {
      current.abort();
    }
    publisher.close();
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
    boolean nothingFlows = silent.size() == consumers.size();
    return new Health(nothingFlows ? Health.Status.DOWN : Health.Status.DEGRADED, reasons);
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
    } catch (TopologyException e) {
      again(made, String.valueOf(e.getMessage()), e);
    } catch (IOException | TimeoutException | RuntimeException e) {
      again(made, Diagnosis.connecting(e, connector.where(), connector.virtualHost()), e);
    }
  }

  private void openOn(Connection made) throws IOException {
    List<String> found = lookForOutlets(made);
    Facts facts = brokerFacts.read(made);
    List<String> all = new ArrayList<>(facts.warnings());
    all.addAll(found);
    sink.opened(new Facts(facts.lease(), facts.deliveryLimit(), facts.retention(), all));
    warn(all);
    wasOpen = true;
    trouble = null;
    pacing.up();
    log.mended("connection", "connected with RabbitMQ at " + connector.where());
    consumers.forEach(consumer -> consumer.connected(made));
  }

  /**
   * At first nothing is consumed without a dead-letter target; later a missing one only degrades.
   */
  private List<String> lookForOutlets(Connection made) throws IOException {
    List<String> found = new ArrayList<>();
    for (QueueConsumer consumer : consumers) {
      try {
        found.addAll(consumer.outlets().look(made));
      } catch (TopologyException e) {
        if (!wasOpen) {
          throw e;
        }
        log.trouble("dead letters", String.valueOf(e.getMessage()), e);
      }
    }
    return found;
  }

  private void warn(List<String> all) {
    if (!all.equals(warnings)) {
      all.forEach(warning -> log.trouble(warning, warning, null));
      warnings = List.copyOf(all);
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
