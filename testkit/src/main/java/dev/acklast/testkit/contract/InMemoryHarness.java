package dev.acklast.testkit.contract;

import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import dev.acklast.testkit.InMemoryBroker;
import dev.acklast.testkit.InMemoryOptions;
import dev.acklast.testkit.QueueFault;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Binds the contract to the broker in memory. Its sources may be wrapped, to break them. */
public final class InMemoryHarness implements BrokerHarness {
  private static final Duration SHORT_LEASE = Duration.ofSeconds(1);

  private final InMemoryBroker broker = new InMemoryBroker();
  private final InMemoryOptions options;
  private final UnaryOperator<Source> wrapper;
  private final Duration patience;
  private final String addition;

  /** A harness for sources with these options. */
  public InMemoryHarness(InMemoryOptions options) {
    this(options, source -> source, Duration.ofSeconds(20), "");
  }

  /**
   * A harness for sources with these options, wrapped.
   *
   * @param patience how long cases wait; positive
   */
  public InMemoryHarness(
      InMemoryOptions options, UnaryOperator<Source> wrapper, Duration patience) {
    this(options, wrapper, patience, ", wrapped");
  }

  private InMemoryHarness(
      InMemoryOptions options, UnaryOperator<Source> wrapper, Duration patience, String addition) {
    this.options = options;
    this.wrapper = wrapper;
    this.patience = patience;
    this.addition = addition;
  }

  @Override
  public String kind() {
    String kind = options.nativeRetry() ? "in memory" : "in memory, parking";
    return kind + addition;
  }

  @Override
  public Abilities abilities() {
    Abilities abilities =
        Abilities.all()
            .without(Ability.OUTLIVES_PROCESS, "its messages live in this process")
            .without(Ability.NETWORK, "there is no network");
    return options.nativeRetry()
        ? abilities
        : abilities
            .without(Ability.NATIVE_RETRY, "core parks what waits")
            .without(Ability.RETRIES_OFF_SOURCE, "core parks what waits");
  }

  @Override
  public Duration patience() {
    return patience;
  }

  @Override
  public void createQueue(String queue) {
    broker.createQueue(queue);
  }

  @Override
  public Source source(String queue) {
    return wrapper.apply(broker.source(options, queue));
  }

  @Override
  public Source orderedSource(String queue) {
    return wrapper.apply(broker.source(options.inOrder(), queue));
  }

  @Override
  public Source shortLeaseSource(String queue) {
    return wrapper.apply(broker.source(options.withLease(SHORT_LEASE), queue));
  }

  @Override
  public void publish(String queue, List<Envelope> messages) {
    messages.forEach(message -> broker.publish(queue, message));
  }

  @Override
  public int ready(String queue) {
    return broker.ready(queue);
  }

  @Override
  public int unsettled(String queue) {
    return broker.unsettled(queue);
  }

  @Override
  public int left(String queue) {
    return ready(queue) + unsettled(queue) + broker.delayed(queue);
  }

  @Override
  public List<Envelope> deadLetters(String deadLetterQueue) {
    return broker.hasQueue(deadLetterQueue) ? broker.messages(deadLetterQueue) : List.of();
  }

  @Override
  public void redrive(String deadLetterQueue, String queue) {
    List<Envelope> letters = broker.messages(deadLetterQueue);
    broker.purge(deadLetterQueue);
    publish(queue, letters);
  }

  @Override
  public void breakDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    switch (fault) {
      case MISSING -> broker.deleteQueue(deadLetterQueue);
      case FULL -> broker.fault(QueueFault.FULL, deadLetterQueue);
      case REFUSING -> broker.fault(QueueFault.REFUSING, deadLetterQueue);
      case UNREACHABLE -> broker.fault(QueueFault.UNREACHABLE, deadLetterQueue);
    }
  }

  @Override
  public void mendDeadLetter(String deadLetterQueue, DeadLetterFault fault) {
    broker.createQueue(deadLetterQueue);
    broker.fault(QueueFault.NONE, deadLetterQueue);
  }

  @Override
  public void deleteQueue(String queue) {
    broker.deleteQueue(queue);
  }

  @Override
  public void full(String queue, boolean full) {
    broker.fault(full ? QueueFault.FULL : QueueFault.NONE, queue);
  }

  @Override
  public void restart() {
    broker.restart();
  }

  @Override
  public void stop() {
    broker.down();
  }

  @Override
  public void start() {
    broker.up();
  }

  @Override
  public void cutConnections() {
    broker.cutConnections();
  }

  @Override
  public void freeze() {
    broker.freeze();
  }

  @Override
  public void thaw() {
    broker.thaw();
  }

  @Override
  public void tidy() {
    broker.up();
    broker.thaw();
  }
}
