package dev.acklast.demo;

import static dev.acklast.demo.Report.number;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The story, read from top to bottom: a month of sales while consumers are killed and the broker is
 * restarted, then the whole month once more. For one thread.
 */
final class Story {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private final Console console;
  private final Month month;
  private final Stage stage;
  private final Broker broker;
  private final Crew acklast;
  private final Crew usual;
  private final Shop acklastShop;
  private final Shop usualShop;
  private final Watch watch;

  Story(Console console, Month month, Stage stage, Path logs) {
    this.console = console;
    this.month = month;
    this.stage = stage;
    this.broker = stage.broker();
    this.acklast = stage.acklastCrew(logs);
    this.usual = stage.usualCrew(logs);
    this.acklastShop = stage.acklastShop();
    this.usualShop = stage.usualShop();
    this.watch = new Watch(console, broker, acklastShop, usualShop);
  }

  /** How it ended. */
  record Ending(Books acklast, Books usual, List<String> faults) {}

  Ending tell() throws Exception {
    try {
      openShops();
      startConsumers();
      sell();
      replay();
      return audit();
    } finally {
      acklast.kill();
      usual.kill();
    }
  }

  private void sell() throws Exception {
    List<SaleEvent> events = month.events();
    int third = events.size() / 3;
    during("kill -9 of a consumer in mid-work", events.subList(0, third), () -> killAndRestart(0));
    during("kill -9 of the other", events.subList(third, 2 * third), () -> killAndRestart(1));
    during("Restart of the broker", events.subList(2 * third, events.size()), broker::restart);
    rest();
  }

  private void openShops() throws Exception {
    console.begin("Queues, tables, and what is due");
    broker.declare();
    for (Shop shop : List.of(acklastShop, usualShop)) {
      shop.open(stage.schema());
      shop.expect(month.sales());
    }
    console.done("%s sales".formatted(number(month.sales().size())));
  }

  private void startConsumers() throws InterruptedException {
    console.begin("Two processes of each consumer");
    acklast.start();
    usual.start();
    awaitCrews();
    console.done("acklast run " + stage.configuration().getFileName() + ", and the usual consumer");
  }

  private void awaitCrews() throws InterruptedException {
    watch.until(
        () -> acklast.isAtWork() && usual.isAtWork(), START_LIMIT, "not all consumers are at work");
  }

  private void killAndRestart(int number) {
    acklast.kill(number);
    usual.kill(number);
    acklast.restart(number);
    usual.restart(number);
  }

  /** Publishes a part of the month, and disturbs its consumption in the middle. */
  private void during(String title, List<SaleEvent> events, Runnable disturbance) throws Exception {
    console.begin(title);
    awaitCrews();
    long before = acklastShop.commissions();
    long wanted = before + Math.max(1, events.size() / 10);
    try (Publication publication = Publication.start(broker, events)) {
      watch.until(
          () -> acklastShop.commissions() >= wanted, START_LIMIT, "no commission has been paid");
      long paid = acklastShop.commissions();
      disturbance.run();
      publication.await(confirmed -> watch.show(confirmed + " published"));
      console.done(
          "%s more events, struck after %s commissions"
              .formatted(number(events.size()), number(paid)));
    }
  }

  private void rest() throws InterruptedException {
    console.begin("The rest of the month");
    watch.untilAllIsDone();
    console.done(
        "%s commissions; the usual consumer has paid %s too many"
            .formatted(number(acklastShop.commissions()), number(usualShop.doubled())));
  }

  private void replay() throws Exception {
    console.begin("The month again, with new ids, and 100 new sales");
    acklastShop.expect(month.late());
    usualShop.expect(month.late());
    long before = acklastShop.commissions();
    try (Publication publication = Publication.start(broker, month.replay())) {
      publication.await(confirmed -> watch.show(confirmed + " published"));
    }
    watch.untilAllIsDone();
    long more = acklastShop.commissions() - before;
    console.done(
        "%s events, %s more commissions".formatted(number(month.replay().size()), number(more)));
  }

  private Ending audit() throws Exception {
    console.begin("Drain and audit");
    List<String> faults = new ArrayList<>(acklast.drain());
    List<Integer> codes = acklast.exitCodes();
    if (codes.stream().anyMatch(code -> code != 0)) {
      faults.add("acklast run ended with exit codes " + codes);
    }
    usual.drain();
    long left = broker.left();
    if (left > 0) {
      faults.add(left + " messages are left at Acklast's consumer");
    }
    Books books = audit(acklastShop, Broker.Side.ACKLAST);
    Books usualBooks = audit(usualShop, Broker.Side.USUAL);
    faults.addAll(books.faults());
    console.done("counted in the databases and among the dead letters");
    return new Ending(books, usualBooks, List.copyOf(faults));
  }

  private Books audit(Shop shop, Broker.Side side) throws Exception {
    shop.noteDeadLetters(broker.deadLetters(side));
    return shop.audit();
  }
}
