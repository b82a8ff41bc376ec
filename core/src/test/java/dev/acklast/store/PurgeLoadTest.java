package dev.acklast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("D09")
class PurgeLoadTest {
  private static final Duration RETENTION = Duration.ofDays(90);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean purged = new AtomicBoolean();
  private final AtomicInteger purging = new AtomicInteger();
  private final AtomicInteger mostPurging = new AtomicInteger();
  private TestDatabase database;

  @BeforeEach
  void createTables() throws SQLException {
    database = TestDatabase.withTables();
  }

  @AfterEach
  void endThreads() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void claimsNeverWaitForThePurge() throws Exception {
    expiredClaims(30_000);
    Future<Integer> one = threads.submit(this::purgeUntilNothingIsLeft);
    Future<Integer> other = threads.submit(this::purgeUntilNothingIsLeft);

    // A wait of 1 ms: a claim that meets any lock of the purge fails here.
    double[] latencies = claims(Duration.ofMillis(1), () -> !purged.get(), 0);

    assertThat(one.get() + other.get()).isEqualTo(30_000);
    assertThat(mostPurging).as("purgers that found rows at one time").hasValue(1);
    assertThat(latencies.length).isGreaterThan(10);
    assertThat(database.column("select count(*) from acklast_claim"))
        .containsExactly(String.valueOf(latencies.length));
  }

  @Test
  @Tag("long")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void twoMillionExpiredClaimsGoWithoutHarmToAConstantLoad() throws Exception {
    expiredClaims(2_000_000);
    database.execute("vacuum analyze acklast_claim");
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    double calm = p99(claims(Duration.ofMillis(100), () -> System.nanoTime() < end, 500));

    Future<Integer> one = threads.submit(this::purgeUntilNothingIsLeft);
    Future<Integer> other = threads.submit(this::purgeUntilNothingIsLeft);
    double busy = p99(claims(Duration.ofMillis(100), () -> !purged.get(), 500));

    assertThat(one.get() + other.get()).isEqualTo(2_000_000);
    assertThat(mostPurging).hasValue(1);
    assertThat(busy)
        .as("p99 in ms beside the purge, %.1f ms without", calm)
        .isLessThan(2 * calm + 5);
  }

  private double[] claims(Duration wait, BooleanSupplier more, int perSecond) throws SQLException {
    Inbox inbox = new Inbox(database.tables, "sales");
    Stream.Builder<Double> latencies = Stream.builder();
    try (Connection connection = database.begin()) {
      long due = System.nanoTime();
      while (more.getAsBoolean()) {
        long start = System.nanoTime();
        assertThat(inbox.claim(connection, List.of(UUID.randomUUID().toString()), wait)).hasSize(1);
        connection.commit();
        latencies.add((System.nanoTime() - start) / 1e6);
        due += perSecond == 0 ? 0 : 1_000_000_000L / perSecond;
        LockSupport.parkNanos(due - System.nanoTime());
      }
    }
    return latencies.build().mapToDouble(Double::doubleValue).toArray();
  }

  private static double p99(double[] latencies) {
    Arrays.sort(latencies);
    return latencies[latencies.length * 99 / 100];
  }

  /** As an instance does it, one small transaction after the other, with a pause between them. */
  private int purgeUntilNothingIsLeft() throws SQLException {
    Purge purge = new Purge(database.tables, "sales");
    int all = 0;
    try (Connection connection = database.begin()) {
      while (!purged.get()) {
        int deleted = purge.run(connection, RETENTION, 1000);
        all += deleted;
        if (deleted > 0) {
          // Before the commit, which lets the next purger in; long enough to meet one.
          mostPurging.accumulateAndGet(purging.incrementAndGet(), Math::max);
          TestDatabase.execute(connection, "select pg_sleep(0.003)");
          purging.decrementAndGet();
        }
        connection.commit();
        if (deleted == 0 && nothingExpired(connection)) {
          purged.set(true);
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
    return all;
  }

  private static boolean nothingExpired(Connection connection) throws SQLException {
    boolean none =
        TestDatabase.one(
                connection,
                "select not exists (select from acklast_claim where scope = 'sales'"
                    + " and claimed_at < now() - interval '90 days')")
            .equals("t");
    connection.commit();
    return none;
  }

  private void expiredClaims(int count) throws SQLException {
    database.execute(
        "insert into acklast_claim (scope, key, claimed_at) select 'sales', gen_random_uuid(),"
            + " clock_timestamp() - interval '100 days' from generate_series(1, "
            + count
            + ")");
  }
}
