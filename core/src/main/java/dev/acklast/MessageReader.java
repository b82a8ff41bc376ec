package dev.acklast;

import dev.acklast.spi.Envelope;
import java.time.Clock;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Decodes a message, filters it, reads its keys, and looks at its age. Thread-safe. */
final class MessageReader<T> {
  /** What a read message is. */
  enum Reading {
    READY,
    SKIPPED,
    EXPIRED,
    /** The broker delivers it no more: not to be run. */
    LAST_DELIVERY
  }

  private final ConsumerSettings.Payload<T> settings;
  private final ConsumerSettings.Flow flow;
  private final Clock databaseClock;
  private final boolean ordersAlways;

  MessageReader(ConsumerSettings<T> settings, Clock databaseClock) {
    this.settings = settings.payload();
    this.flow = settings.flow();
    this.ordersAlways = settings.ordersAlways();
    this.databaseClock = databaseClock;
  }

  /**
   * Reads one message.
   *
   * @throws InvalidMessageException if it cannot be decoded or keyed; the text holds no payload
   */
  Reading read(InFlight<T> message) throws InvalidMessageException {
    Envelope envelope = message.envelope();
    if (envelope.isToSkip()) {
      return Reading.SKIPPED;
    }
    try {
      T payload = settings.decoder().decode(envelope);
      if (payload == null) {
        throw new InvalidMessageException("the decoder returned null");
      }
      BiPredicate<? super T, ? super Envelope> filter = settings.filter();
      if (filter != null && !filter.test(payload, envelope)) {
        return Reading.SKIPPED;
      }
      message.read(payload, settings.key().read(payload, envelope), orderingKey(payload, envelope));
      if (isExpired(payload, envelope)) {
        return Reading.EXPIRED;
      }
      return envelope.isLastDelivery() ? Reading.LAST_DELIVERY : Reading.READY;
    } catch (InvalidMessageException e) {
      throw e;
    } catch (Throwable e) {
      if (e instanceof VirtualMachineError unsound && !(e instanceof StackOverflowError)) {
        throw unsound;
      }
      // its text may hold payload, so only its class is told
      throw new InvalidMessageException("decoding or keying threw " + e.getClass().getName());
    }
  }

  private @Nullable String orderingKey(T payload, Envelope envelope)
      throws InvalidMessageException {
    if (ordersAlways) {
      return envelope.orderingKey();
    }
    Key<? super T> orderedBy = settings.orderedBy();
    return orderedBy == null ? null : orderedBy.read(payload, envelope);
  }

  private boolean isExpired(T payload, Envelope envelope) {
    BiFunction<? super T, ? super Envelope, @Nullable Instant> eventTime = settings.eventTime();
    if (eventTime == null || settings.allowExpired()) {
      return false;
    }
    Instant happened = eventTime.apply(payload, envelope);
    return happened != null && happened.isBefore(databaseClock.instant().minus(flow.retention()));
  }
}
