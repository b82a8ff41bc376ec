package dev.acklast.spi;

import java.util.function.Predicate;

/** Where an adapter pushes deliveries. Given by core; thread-safe; its methods return at once. */
public interface Sink {
  /**
   * Says what the broker is like. An adapter calls this after each (re)connect, before the first
   * delivery.
   *
   * @throws RefusedException if the configuration cannot keep its promise on this broker. The
   *     adapter then consumes nothing, reports DOWN with the exception's message, and may try again
   *     later, as somebody may have mended the broker.
   */
  void opened(Facts facts) throws RefusedException;

  /**
   * Hands over one delivery. Never blocks and never throws; the adapter hands over no more than
   * {@link SourceSettings#prefetch()} that are unsettled.
   */
  void deliver(Delivery delivery);

  /**
   * Asks for deliveries that no run has begun for, as they will soon not be ours any more: core
   * {@linkplain Acker#release releases} them in a moment, the parked ones too. Those in work are
   * settled as their runs end. Returns at once.
   *
   * @param which cheap, without locks or side effects; called on another thread
   */
  default void reclaim(Predicate<? super Envelope> which) {}
}
