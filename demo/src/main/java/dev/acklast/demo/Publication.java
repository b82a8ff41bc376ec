package dev.acklast.demo;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Publishing that goes on beside everything else. */
final class Publication implements AutoCloseable {
  private static final long REFRESH_MILLIS = 200;

  private final ExecutorService thread;
  private final Future<?> work;
  private final AtomicInteger confirmed;

  private Publication(ExecutorService thread, Future<?> work, AtomicInteger confirmed) {
    this.thread = thread;
    this.work = work;
    this.confirmed = confirmed;
  }

  static Publication start(Broker broker, List<SaleEvent> events) {
    ExecutorService thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread shop = new Thread(task, "demo-shop");
              shop.setDaemon(true);
              return shop;
            });
    AtomicInteger confirmed = new AtomicInteger();
    Publisher publisher = new Publisher(broker);
    Future<?> work =
        thread.submit(
            () -> {
              publisher.publish(events, confirmed::set);
              return null;
            });
    return new Publication(thread, work, confirmed);
  }

  /**
   * Waits until all is confirmed.
   *
   * @param progress is told how many are, a few times a second
   * @throws Exception what ended the publishing
   */
  void await(Consumer<String> progress) throws Exception {
    while (true) {
      try {
        work.get(REFRESH_MILLIS, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        progress.accept(Report.number(confirmed.get()));
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
