package dev.acklast;

import dev.acklast.spi.DeathReport;
import dev.acklast.spi.SettleResult;
import dev.acklast.spi.Transactions;
import dev.acklast.store.AttemptLedger;
import dev.acklast.store.Inbox;
import java.sql.Connection;
import java.sql.Savepoint;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages into the dead-letter queue: the copy is confirmed while the claim is held, so that
 * nobody applies the message meanwhile, and the death is on record before the message is acked. If
 * the queue cannot take letters, all of them wait, with a growing delay, and handlers are not
 * called again. Thread-safe.
 */
final class Burial<T> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final long CONFIRM_SECONDS = 15;

  private final Transactions transactions;
  private final Inbox inbox;
  private final AttemptLedger ledger;
  private final Clock databaseClock;
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicLong notBefore = new AtomicLong();
  private volatile @Nullable String refusal;

  Burial(Transactions transactions, Inbox inbox, AttemptLedger ledger, Clock databaseClock) {
    this.transactions = transactions;
    this.inbox = inbox;
    this.ledger = ledger;
    this.databaseClock = databaseClock;
    notBefore.set(System.nanoTime());
  }

  /** How a burial ended. */
  enum End {
    /** Confirmed, and on record: to be acked. */
    BURIED,
    /** It had been applied after all: to be acked. */
    APPLIED,
    /** The delivery is no longer ours. */
    LATE,
    /** Not now: the queue or the database cannot; to be tried again. */
    NOT_YET
  }

  /** Why letters wait, if they do. */
  @Nullable String refusal() {
    return refusal;
  }

  /** How long letters still have to wait; zero if one may be tried now. */
  Duration pause() {
    long nanos = refusals.get() == 0 ? 0 : notBefore.get() - System.nanoTime();
    return Duration.ofNanos(Math.max(0, nanos));
  }

  /** Buries a message that has no key, so no claim and no count. */
  End buryUnkeyed(InFlight<T> message, InFlight.Doom doom) {
    return endOf(publish(message, Deaths.id(message), doom));
  }

  /** Buries a message under its claim. */
  End bury(InFlight<T> message, InFlight.Doom doom) {
    Transactions.Outcome<End> outcome =
        transactions.run(transaction -> buryUnderClaim(transaction.connection(), message, doom));
    return outcome instanceof Transactions.Outcome.Committed<End> committed
        ? committed.value()
        : End.NOT_YET;
  }

  private End buryUnderClaim(Connection connection, InFlight<T> message, InFlight.Doom decided)
      throws Exception {
    List<String> key = List.of(message.businessKey());
    Savepoint unclaimed = connection.setSavepoint();
    if (inbox.claim(connection, key, Effects.WAIT_ALONE).isEmpty()) {
      ledger.clear(connection, key);
      return End.APPLIED;
    }
    AttemptLedger.Entry entry = ledger.read(connection, key).get(message.businessKey());
    InFlight.Doom doom = decided;
    String id = Deaths.id(message);
    if (entry != null && !Effects.isRedrivenFrom(entry, message)) {
      doom = decided.withAttempts(entry.attempts());
      id = entry.deathId() == null ? id : entry.deathId();
    }
    End end = endOf(publish(message, id, doom));
    connection.rollback(unclaimed);
    if (end == End.BURIED) {
      AttemptLedger.Death death = new AttemptLedger.Death(id, doom.reason().name());
      ledger.markDead(connection, message.businessKey(), death, doom.attempts());
    }
    return end;
  }

  private SettleResult publish(InFlight<T> message, String id, InFlight.Doom doom) {
    DeathReport report = Deaths.report(message, id, doom, databaseClock.instant());
    try {
      return message
          .acker()
          .deadLetter(report)
          .toCompletableFuture()
          .get(CONFIRM_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return SettleResult.failed("no answer within " + CONFIRM_SECONDS + " s", e);
    } catch (ExecutionException e) {
      return SettleResult.failed("the adapter failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      return SettleResult.failed("interrupted while stopping", e);
    }
  }

  private End endOf(SettleResult result) {
    switch (result.status()) {
      case DONE -> {
        refusals.set(0);
        refusal = null;
        return End.BURIED;
      }
      case LATE -> {
        return End.LATE;
      }
      default -> {
        int count = refusals.incrementAndGet();
        long pause = FIRST_PAUSE.toMillis() << Math.min(10, count - 1);
        long capped = Math.min(LONGEST_PAUSE.toMillis(), pause);
        notBefore.set(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(capped));
        refusal = result.reason();
        return End.NOT_YET;
      }
    }
  }
}
