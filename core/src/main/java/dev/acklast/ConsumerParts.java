package dev.acklast;

import dev.acklast.spi.Transactions;
import dev.acklast.store.AttemptLedger;
import dev.acklast.store.Inbox;
import dev.acklast.store.Tables;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;

/** What one consumer is made of, wired once. Everything in it is thread-safe. */
record ConsumerParts<T>(
    ConsumerSettings<T> settings,
    Intake<T> intake,
    Listeners listeners,
    FailurePolicy policy,
    MessageReader<T> reader,
    Marks<T> marks,
    Effects<T> effects,
    Burial<T> burial,
    OutageGate gate,
    Inbox inbox,
    AttemptLedger ledger,
    AtomicBoolean stopping) {

  static <T> ConsumerParts<T> of(
      ConsumerSettings<T> settings, OutageGate gate, Listeners listeners, Clock databaseClock) {
    Tables tables = new Tables(settings.database().schema());
    Inbox inbox = new Inbox(tables, settings.scope());
    AttemptLedger ledger = new AttemptLedger(tables, settings.scope());
    AttemptLedger undecoded = new AttemptLedger(tables, ScopeNames.UNDECODED + settings.scope());
    FailurePolicy policy = new FailurePolicy(settings.failures());
    return new ConsumerParts<>(
        settings,
        new Intake<>(settings.flow().concurrency()),
        listeners,
        policy,
        new MessageReader<>(settings, databaseClock),
        new Marks<>(inbox, ledger, undecoded, policy),
        new Effects<>(settings, inbox, ledger, listeners),
        new Burial<>(settings.database().transactions(), inbox, ledger, databaseClock),
        gate,
        inbox,
        ledger,
        new AtomicBoolean());
  }

  Transactions transactions() {
    return settings.database().transactions();
  }

  /** Whether a transaction may begin now. */
  boolean mayStart() {
    return !stopping.get() && gate.state() != OutageGate.State.OUT;
  }
}
