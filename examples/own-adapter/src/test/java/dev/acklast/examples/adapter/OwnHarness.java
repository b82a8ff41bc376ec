package dev.acklast.examples.adapter;

import dev.acklast.spi.Envelope;
import dev.acklast.spi.Source;
import dev.acklast.testkit.InMemoryBroker;
import dev.acklast.testkit.contract.Abilities;
import dev.acklast.testkit.contract.Ability;
import dev.acklast.testkit.contract.BrokerHarness;
import java.util.List;

/** What the contract needs of a broker; here, of the one in memory, as anybody else reaches it. */
final class OwnHarness implements BrokerHarness {
  private final InMemoryBroker broker = new InMemoryBroker();

  @Override
  public String kind() {
    return "own";
  }

  @Override
  public Abilities abilities() {
    return Abilities.all()
        .without(Ability.OUTLIVES_PROCESS, "its messages live in this process")
        .without(Ability.NETWORK, "there is no network")
        .without(Ability.ORDERED, "this harness offers no ordered source");
  }

  @Override
  public void createQueue(String queue) {
    broker.createQueue(queue);
  }

  @Override
  public Source source(String queue) {
    return broker.source(queue);
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
  public void restart() {
    broker.restart();
  }
}
