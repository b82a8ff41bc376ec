package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Two JVMs on one queue that are killed in turn, again and again, while they work. */
final class KillLoop implements AutoCloseable {
  private final WorkerProcess.Work work;
  private final Database database;
  private final Path log;
  private final WorkerProcess[] workers = new WorkerProcess[2];

  KillLoop(WorkerProcess.Work work, Database database, Path folder) {
    this.work = work;
    this.database = database;
    this.log = folder.resolve("workers.log");
    database.execute("create table balance(id int primary key, amount int not null)");
    database.execute("insert into balance select g, 0 from generate_series(0, 49) g");
  }

  /** Starts a worker in the place of the one that may have been there. */
  WorkerProcess start(int place) throws IOException {
    workers[place] = WorkerProcess.start(work, database, log);
    return workers[place];
  }

  /** Kills at equal steps of progress, until all messages have taken effect; then looks at them. */
  void killUntilDone(int messages, int leastKills, Runnable awaitEmptyQueue) throws Exception {
    for (int i = 0; i < workers.length; i++) {
      start(i);
    }
    int kills = 0;
    int step = messages / (leastKills + 2);
    for (int goal = step; goal < messages; goal += step) {
      awaitEffects(goal);
      int victim = kills++ % workers.length;
      workers[victim].kill();
      start(victim);
    }
    awaitEffects(messages);
    awaitEmptyQueue.run();
    assertThat(kills).isGreaterThanOrEqualTo(leastKills);
    assertThat(database.effects()).isEqualTo(messages);
    assertThat(database.distinctEffects()).isEqualTo(messages);
    assertThat(database.number("select sum(amount) from balance")).isEqualTo(messages);
    assertThat(database.claims()).isEqualTo(messages);
    assertThat(Files.readString(log)).doesNotContain("A fault in Acklast itself");
  }

  void awaitEffects(int count) {
    Awaitility.await(count + " effects")
        .atMost(Duration.ofMinutes(4))
        .pollInterval(Duration.ofMillis(200))
        .until(() -> database.effects() >= count);
  }

  @Override
  public void close() throws InterruptedException {
    for (WorkerProcess worker : workers) {
      if (worker != null) {
        worker.close();
      }
    }
  }
}
