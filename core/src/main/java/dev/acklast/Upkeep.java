package dev.acklast;

import dev.acklast.spi.Transactions.Outcome;
import dev.acklast.store.Purge;
import dev.acklast.store.Tables;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must happen now and then, off the messages' path: the purge, and a look at the database's
 * clock.
 */
final class Upkeep<T> {
  private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
  private static final int ROWS = 1_000;
  private static final int BATCHES_PER_ROUND = 50;
  private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);
  private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
  private static final Duration CLOCK_LOOKS = Duration.ofMinutes(1);

  private final ConsumerParts<T> parts;
  private final DatabaseClock clock;
  private final Duration retention;
  private final List<Purge> purges;

  Upkeep(ConsumerParts<T> parts, DatabaseClock clock) {
    this.parts = parts;
    this.clock = clock;
    this.retention = parts.settings().flow().retention();
    Tables tables = new Tables(parts.settings().database().schema());
    String scope = parts.settings().scope();
    this.purges =
        List.of(new Purge(tables, scope), new Purge(tables, ScopeNames.UNDECODED + scope));
  }

  /** Begins; ends with the consumer. */
  void start(Tending tending) {
    long millis =
        Math.max(
            SHORTEST_INTERVAL.toMillis(),
            Math.min(LONGEST_INTERVAL.toMillis(), retention.toMillis() / 10));
    long first = ThreadLocalRandom.current().nextLong(millis);
    tending.every(Duration.ofMillis(first), Duration.ofMillis(millis), this::purge);
    tending.every(CLOCK_LOOKS, CLOCK_LOOKS, this::adjustClock); // the first look is the start's
  }

  private void purge() {
    purges.forEach(this::purge);
  }

  private void purge(Purge purge) {
    int rows = ROWS;
    for (int i = 0; i < BATCHES_PER_ROUND && rows >= ROWS && parts.mayStart(); i++) {
      Outcome<Integer> outcome =
          parts.transactions().run(tx -> purge.run(tx.connection(), retention, ROWS));
      if (!(outcome instanceof Outcome.Committed<Integer> committed)) {
        log.debug("The purge failed, and is tried again: {}", outcome);
        return;
      }
      rows = committed.value();
    }
  }

  private void adjustClock() {
    if (parts.mayStart()) {
      parts
          .transactions()
          .run(
              tx -> {
                clock.adjust(tx.connection());
                return clock;
              });
    }
  }
}
