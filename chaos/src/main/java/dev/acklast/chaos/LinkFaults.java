package dev.acklast.chaos;

import dev.acklast.servers.RequestFault;
import dev.acklast.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** What happens to connections. */
final class LinkFaults {
  private LinkFaults() {}

  /** Whose connections. */
  private enum Link {
    DATABASE(stage -> stage.database().links()),
    BROKER(stage -> stage.broker().workerLinks()),
    PRODUCER(stage -> List.of(stage.broker().producerLink()));

    // It holds no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<Stage, List<TcpProxy>> proxies;

    Link(Function<Stage, List<TcpProxy>> proxies) {
      this.proxies = proxies;
    }

    List<TcpProxy> of(Stage stage) {
      return proxies.apply(stage);
    }
  }

  static List<Fault> all() {
    return List.of(
        new Cut(Link.BROKER),
        new CommitFault(RequestFault.CUT_BEFORE_ANSWER),
        new LostAcks(),
        new Cut(Link.DATABASE),
        new CutStorm(),
        new HalfOpen(Link.BROKER),
        new CommitFault(RequestFault.CUT_BEFORE),
        new HalfOpen(Link.DATABASE),
        new Reset(Link.BROKER),
        new Reset(Link.DATABASE),
        new Slow(Link.DATABASE),
        new Slow(Link.BROKER),
        new Cut(Link.PRODUCER),
        new Reset(Link.PRODUCER),
        new HalfOpen(Link.PRODUCER));
  }

  private static String words(Link link) {
    return switch (link) {
      case DATABASE -> "connections to the database";
      case BROKER -> "connections to the broker";
      case PRODUCER -> "the producer's connection";
    };
  }

  /** All connections of one kind are reset at once. */
  record Cut(Link link) implements Fault {
    @Override
    public String name() {
      return "cut " + words(link);
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      link.of(stage).forEach(TcpProxy::cut);
      return Injected.atOnce("all");
    }
  }

  /** Again and again, so that the same messages are delivered again and again. */
  record CutStorm() implements Fault {
    /** A share group would count each as a delivery, and give up after ten: a limit of its kind. */
    @Override
    public boolean appliesTo(Stage stage) {
      return stage.kind() != BrokerKind.KAFKA_SHARE;
    }

    @Override
    public String name() {
      return "cut connections to the broker, many times";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws InterruptedException {
      for (int turn = 0; turn < 10; turn++) {
        stage.broker().workerLinks().forEach(TcpProxy::cut);
        Thread.sleep(250 + random.nextInt(250));
      }
      return Injected.atOnce("10 times");
    }
  }

  /** A connection ends after some more bytes, in the middle of a frame. */
  record Reset(Link link) implements Fault {
    @Override
    public String name() {
      return "reset " + words(link) + " in the middle of a frame";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      long bytes = random.nextLong(1, 20_001);
      boolean requests = random.nextBoolean();
      BiConsumer<TcpProxy, Long> fault =
          requests ? TcpProxy::cutAfterRequestBytes : TcpProxy::cutAfterResponseBytes;
      link.of(stage).forEach(proxy -> fault.accept(proxy, bytes));
      return Injected.forMillis(
          bytes + (requests ? " bytes sent" : " bytes received"), 1_500, () -> {});
    }
  }

  /** Open, and nothing passes, in one direction or both. */
  record HalfOpen(Link link) implements Fault {
    @Override
    public String name() {
      return "half-open " + words(link);
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      int ways = random.nextInt(3);
      List<TcpProxy> proxies = link.of(stage);
      proxies.forEach(proxy -> hold(proxy, ways, true));
      String what = List.of("both ways", "what is sent", "what is received").get(ways);
      return Injected.forMillis(
          what,
          link == Link.BROKER ? 10_000 : 5_000,
          () -> proxies.forEach(proxy -> hold(proxy, ways, false)));
    }

    private static void hold(TcpProxy proxy, int ways, boolean on) {
      if (ways != 2) {
        proxy.blackholeRequests(on);
      }
      if (ways != 1) {
        proxy.blackholeResponses(on);
      }
    }
  }

  record Slow(Link link) implements Fault {
    @Override
    public String name() {
      return "slow " + words(link);
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) {
      long millis = random.nextLong(20, 151);
      List<TcpProxy> proxies = link.of(stage);
      proxies.forEach(proxy -> proxy.latency(Duration.ofMillis(millis)));
      return Injected.forMillis(
          millis + " ms", 4_000, () -> proxies.forEach(proxy -> proxy.latency(Duration.ZERO)));
    }
  }

  /** The commit, or its answer, gets lost; several times on each link. */
  record CommitFault(RequestFault fault) implements Fault {
    private static final int TIMES = 4;

    @Override
    public String name() {
      return fault == RequestFault.CUT_BEFORE
          ? "loss of the commit"
          : "loss of the commit's answer";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws InterruptedException {
      for (int turn = 0; turn < TIMES; turn++) {
        for (TcpProxy link : stage.database().links()) {
          var unused = link.onCommit(fault);
        }
        Thread.sleep(500);
      }
      return Injected.atOnce(TIMES + " times on each link");
    }
  }

  /** What workers send to the broker is held back, acks above all, and then thrown away. */
  record LostAcks() implements Fault {
    @Override
    public String name() {
      return "loss of acks";
    }

    @Override
    public Injected inject(Stage stage, SplittableRandom random) throws InterruptedException {
      List<TcpProxy> links = stage.broker().workerLinks();
      links.forEach(link -> link.blackholeRequests(true));
      Thread.sleep(1_000);
      links.forEach(TcpProxy::cut);
      links.forEach(link -> link.blackholeRequests(false));
      return Injected.atOnce("those of one second");
    }
  }
}
