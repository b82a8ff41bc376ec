package dev.acklast;

import dev.acklast.spi.Acker;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Envelope;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.store.AttemptLedger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One delivery inside core, from receipt to settle, and what is known of it so far. Owned by one
 * thread at a time: it changes hands only through {@link Intake}'s lock.
 */
final class InFlight<T> implements MessageInfo {
  private final Delivery delivery;
  private final ConsumerSettings<T> settings;
  private final long receivedNanos = System.nanoTime();

  private @Nullable T payload;
  private @Nullable String key;
  private @Nullable String orderingKey;

  /** What the delivery's past demands; worsens when a run of ours ends in doubt. */
  RedeliveryHint hint;

  /** The run whose mark stands in the ledger for this message, if we wrote one. */
  @Nullable String run;

  /** Whether its decoding stands under a mark by the body's digest. */
  boolean decodingMarked;

  private @Nullable String bodyDigest;

  /** Which run of the handler comes next, as far as is known. */
  int attempt = 1;

  /** It must not share a transaction again: its neighbours have waited for it often enough. */
  boolean alone;

  /** How often a transaction with it was rolled back because of a neighbour. */
  int reruns;

  /** How often its effect met a conflict with other transactions, in a row. */
  int conflicts;

  /** How often its connection died under it while the database was well. */
  int deadConnections;

  /** How often it was parked without being counted, in a row. */
  int parks;

  /** Decided outcomes that only have yet to reach the broker. */
  @Nullable Doom doom;

  boolean ackOnly;

  /** The delivery is no longer ours: the broker delivers the message again, to whomever. */
  boolean lost;

  /** Kept by {@link Intake}: whether a lane has it, and has not yet decided what becomes of it. */
  boolean inHand;

  /** Kept by {@link Intake}: when a parked message is due, and which keys it holds. */
  long dueNanos;

  boolean holdsKey;
  boolean holdsOrderingKey;

  InFlight(Delivery delivery, ConsumerSettings<T> settings) {
    this.delivery = delivery;
    this.settings = settings;
    this.hint = delivery.envelope().hint();
  }

  /** A dead letter that is decided, and why. */
  record Doom(DeathReason reason, int attempts, @Nullable Throwable cause) {
    /** What the ledger says: the reason that it has on record, or that the attempts are used. */
    static Doom of(AttemptLedger.Entry entry, int attempts) {
      DeathReason reason =
          Optional.ofNullable(entry.doom())
              .flatMap(DeathReason::named)
              .orElse(DeathReason.MAX_ATTEMPTS);
      return new Doom(reason, attempts, null);
    }

    /** The same with what the ledger has counted, if that is more. */
    Doom withAttempts(int counted) {
      return new Doom(reason, Math.max(attempts, counted), cause);
    }
  }

  void read(T decoded, String businessKey, @Nullable String ordering) {
    payload = decoded;
    key = businessKey;
    orderingKey = ordering;
  }

  boolean isRead() {
    return key != null;
  }

  /** Whether it is known what becomes of it without a run. */
  boolean isDecided() {
    return ackOnly || lost || doom != null;
  }

  /** Whether no other message with its key may be in work beside it. */
  boolean needsItsKey() {
    return isRead() && !ackOnly && !lost;
  }

  T payload() {
    if (payload == null) {
      throw new IllegalStateException("not decoded yet: " + this);
    }
    return payload;
  }

  String businessKey() {
    if (key == null) {
      throw new IllegalStateException("no key yet: " + this);
    }
    return key;
  }

  @Nullable String orderingKey() {
    return orderingKey;
  }

  Acker acker() {
    return delivery.acker();
  }

  /** Names the message before its key is known. */
  String bodyDigest() {
    if (bodyDigest == null) {
      bodyDigest = Digests.of(envelope().body());
    }
    return bodyDigest;
  }

  @Nullable String carriedDeathId() {
    return Deaths.carriedId(envelope());
  }

  @Override
  public String consumer() {
    return settings.name();
  }

  @Override
  public String scope() {
    return settings.scope();
  }

  @Override
  public Envelope envelope() {
    return delivery.envelope();
  }

  @Override
  public @Nullable String key() {
    return key;
  }

  @Override
  public long ageNanos() {
    return System.nanoTime() - receivedNanos;
  }

  @Override
  public String toString() {
    return key == null ? envelope().toString() : envelope() + " key=" + key;
  }
}
