package dev.acklast.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One run from its start to its audit. For one thread. */
final class Campaign {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration CONFIRM_LIMIT = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final int QUIET_LOOKS = 4;

  /**
   * What is to be run.
   *
   * @param seconds how long messages are published
   * @param rate intents a second
   */
  record Order(BrokerKind kind, int seconds, long seed, int rate, Breakage breakage) {
    /** The first part, without faults: an eighth, and time enough for all queues to settle. */
    Duration quiet() {
      return Duration.ofSeconds(Math.min(seconds / 2, Math.max(8, seconds / 8)));
    }

    Duration faults() {
      return Duration.ofSeconds(seconds).minus(quiet());
    }

    /** How long after the healing all may be done: what has piled up takes its time. */
    Duration drainLimit() {
      return Duration.ofSeconds(180 + seconds);
    }
  }

  private final Order order;
  private final Screen screen;
  private final Stage stage;
  private final Path folder;
  private final Workload workload;
  private final List<Finding> remarks = new ArrayList<>();

  Campaign(Order order, Screen screen, Stage stage) {
    this.order = order;
    this.screen = screen;
    this.stage = stage;
    this.folder = stage.folder();
    this.workload = new Workload(order.seed(), order.kind() == BrokerKind.KAFKA_SHARE);
  }

  Audit.Report run() throws Exception {
    try (PublicationLog log = new PublicationLog(folder.resolve(Evidence.PUBLICATIONS));
        Producer producer =
            new Producer(workload, () -> stage.broker().outlet(), log, order.rate())) {
      Schedule schedule = new Schedule(stage, screen, order.seed());
      quiet(producer);
      faults(producer, schedule);
      heal(producer);
      drain(producer);
      screen.event("audit");
      Audit.Report report = Audit.of(evidence(), schedule.injected());
      new ReportPrinter(screen, folder, stage).print(report);
      return report;
    }
  }

  private void quiet(Producer producer) throws Exception {
    screen.event("quiet: " + Crew.MOST + " workers, " + order.rate() + " messages a second");
    for (int worker = 0; worker < Crew.MOST; worker++) {
      stage.crew().want(worker);
    }
    stage.crew().start();
    producer.start();
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (stage.database().effects() == 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "no effect after " + START_LIMIT.toSeconds() + " s: the workers' logs say why");
      }
      show(producer);
    }
    watch(producer, order.quiet());
  }

  private void faults(Producer producer, Schedule schedule) throws InterruptedException {
    screen.event("faults");
    schedule.begin();
    watch(producer, order.faults());
    schedule.end();
  }

  private void heal(Producer producer) throws InterruptedException {
    screen.event("heal: all servers and workers run, and the last messages are published");
    stage.database().server().start();
    stage.broker().start();
    for (int worker = 0; worker < Crew.MOST; worker++) {
      stage.crew().thaw(worker);
      stage.crew().want(worker);
    }
    long confirmed = -1;
    long since = System.nanoTime();
    while (!producer.finish()) {
      if (producer.confirmed() != confirmed) {
        confirmed = producer.confirmed();
        since = System.nanoTime();
      } else if (System.nanoTime() - since > CONFIRM_LIMIT.toNanos()) {
        String text = "the broker has confirmed nothing for " + CONFIRM_LIMIT.toSeconds() + " s";
        remarks.add(new Finding(Breach.NOT_DRAINED, null, text));
        producer.close();
        return;
      }
      show(producer);
    }
  }

  private void drain(Producer producer) throws InterruptedException {
    screen.event("drain");
    long began = System.nanoTime();
    int quiet = 0;
    long before = -1;
    while (quiet < QUIET_LOOKS) {
      long left = left();
      long effects = effects();
      quiet = left == 0 && effects == before ? quiet + 1 : 0;
      before = effects;
      if (System.nanoTime() - began > order.drainLimit().toNanos()) {
        String text =
            left + " messages are left " + order.drainLimit().toSeconds() + " s after the healing";
        remarks.add(new Finding(Breach.NOT_DRAINED, null, text));
        break;
      }
      show(producer);
    }
    long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
    screen.event("drained after " + millis + " ms; the workers end");
    stage.crew().drain();
    remarks.addAll(stage.crew().faults());
  }

  private Evidence evidence() throws Exception {
    remarks.addAll(WorkerLogs.faults(folder));
    return Evidence.collect(
        workload, folder, stage.database().dataSource(), stage.broker(), remarks);
  }

  private void watch(Producer producer, Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      show(producer);
    }
  }

  private void show(Producer producer) throws InterruptedException {
    Thread.sleep(LOOK.toMillis());
    long effects = effects();
    screen.state(
        "%d published, %s applied, %d workers, %d deaths"
            .formatted(
                producer.confirmed(),
                effects < 0 ? "?" : Long.toString(effects),
                stage.crew().alive(),
                stage.crew().deaths()));
  }

  /** -1 while the database is away. */
  private long effects() {
    try {
      return stage.database().effects();
    } catch (RuntimeException e) {
      return -1;
    }
  }

  /** -1 while the broker is away. */
  private long left() {
    try {
      return stage.broker().residue().total();
    } catch (Exception e) {
      return -1;
    }
  }
}
