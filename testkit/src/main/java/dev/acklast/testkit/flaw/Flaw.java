package dev.acklast.testkit.flaw;

import dev.acklast.spi.Source;
import java.util.function.Supplier;

/** One way in which an adapter breaks the contract. */
public enum Flaw {
  /** The message is acked as soon as it is received. */
  ACKS_BEFORE_COMMIT(SettlingFlaws.AcksBeforeCommit::new),
  /** An ack is reported as done and never sent. */
  ACK_NEVER_SENT(SettlingFlaws.AckNeverSent::new),
  /** What is unsettled is acked when the subscription closes. */
  ACKS_ON_CLOSE(SettlingFlaws.AcksOnClose::new),
  /** An ack of an old delivery takes effect on the new one. */
  APPLIES_STALE_ACKS(SettlingFlaws.AppliesStaleAcks::new),
  /** A second settle is reported as done. */
  HIDES_LATE_SETTLES(SettlingFlaws.HidesLateSettles::new),
  /** A released message is gone. */
  DROPS_ON_RELEASE(SettlingFlaws.DropsOnRelease::new),
  /** A released message goes to the end of the queue. */
  REORDERS_ON_RELEASE(SettlingFlaws.ReordersOnRelease::new),
  /** A message that was delivered several times is removed, whether it was started or not. */
  REMOVES_AFTER_DELIVERIES(SettlingFlaws.RemovesAfterDeliveries::new),
  /** A retry is reported as done and never made. */
  RETRY_DOES_NOTHING(RetryFlaws.DoesNothing::new),
  /** A retry takes the message off the source. */
  RETRY_LOSES_THE_MESSAGE(RetryFlaws.LosesTheMessage::new),
  /** A retry comes before its delay. */
  RETRIES_EARLY(RetryFlaws.Early::new),
  /** A retry comes long after its delay. */
  RETRIES_LATE(RetryFlaws.Late::new),
  /** A retried message has lost its headers. */
  RETRY_LOSES_HEADERS(RetryFlaws.LosesHeaders::new),
  /** A retry waits until all others that wait longer are over. */
  RETRIES_IN_TURN(RetryFlaws.InTurn::new),
  /** While a retry waits, nothing else is handed over. */
  RETRY_HOLDS_UP_OTHERS(RetryFlaws.HoldsUpOthers::new),
  /** Every delivery is said to be the first, so that nobody looks at its count. */
  RESETS_THE_COUNTER(RetryFlaws.ResetsTheCounter::new),
  /** A dead letter counts as confirmed before the broker has answered. */
  DEAD_LETTER_NOT_CONFIRMED(DeadLetterFlaws.NotConfirmed::new),
  /** A dead letter is acked with its publish, before its death is on record. */
  DEAD_LETTER_ACKS_AT_ONCE(DeadLetterFlaws.AcksAtOnce::new),
  /** A dead letter is published twice. */
  DEAD_LETTER_TWICE(DeadLetterFlaws.Twice::new),
  /** Each copy of a dead letter has another id. */
  DEAD_LETTER_WITH_NEW_ID(DeadLetterFlaws.NewId::new),
  /** A redriven dead letter comes as a redelivery, without the header of its death. */
  DEATH_TAKEN_OFF(DeadLetterFlaws.TakenOff::new),
  /** The report of a death is cut down. */
  DEATH_REPORT_EMPTY(DeadLetterFlaws.EmptyReport::new),
  /** Headers do not arrive. */
  HEADERS_LOST(DeliveryFlaws.HeadersLost::new),
  /** Message id, ordering key, content type and timestamp do not arrive. */
  PROPERTIES_LOST(DeliveryFlaws.PropertiesLost::new),
  /** Bodies pass through text in US-ASCII, and are cut off at 64 KiB. */
  BODIES_MANGLED(DeliveryFlaws.BodiesMangled::new),
  /** Messages with an empty body are dropped. */
  EMPTY_BODIES_DROPPED(DeliveryFlaws.EmptyBodiesDropped::new),
  /** Ten times the prefetch is handed over. */
  PREFETCH_IGNORED(DeliveryFlaws.PrefetchIgnored::new),
  /** Nothing more is handed over until all of the prefetch is settled. */
  PREFETCH_IN_BLOCKS(DeliveryFlaws.PrefetchInBlocks::new),
  /** Some messages are dropped. */
  LOSES_SOME(DeliveryFlaws.LosesSome::new),
  /** Neighbours change places. */
  DELIVERS_OUT_OF_ORDER(DeliveryFlaws.OutOfOrder::new),
  /** Only one subscription at a time is served. */
  STARVES_OTHERS(DeliveryFlaws.StarvesOthers::new),
  /** After the first connection nothing is handed over. */
  NEVER_RECONNECTS(LifeFlaws.NeverReconnects::new),
  /** Health is always UP. */
  ALWAYS_UP(LifeFlaws.AlwaysUp::new),
  /** A pause changes nothing. */
  IGNORES_PAUSE(LifeFlaws.IgnoresPause::new),
  /** Closing hangs. */
  HANGS_ON_CLOSE(LifeFlaws.HangsOnClose::new),
  /** A thread is left behind. */
  LEAKS_A_THREAD(LifeFlaws.LeaksAThread::new),
  /** What is unsettled stays with a subscription that was closed. */
  KEEPS_AFTER_CLOSE(LifeFlaws.KeepsAfterClose::new);

  // Constructors hold no state.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Supplier<Behaviour> behaviours;

  Flaw(Supplier<Behaviour> behaviours) {
    this.behaviours = behaviours;
  }

  /** The same source, broken in this way. */
  public Source in(Source sound) {
    return new FlawedSource(sound, behaviours);
  }
}
