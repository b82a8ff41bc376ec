package dev.acklast.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The one handle that settles a delivery; bound to the channel, receipt handle or assignment that
 * the delivery came from. Only core's pipeline calls it. All methods may be called from any thread,
 * return without waiting for the network longer than a send takes, never throw, and complete their
 * stage on whatever thread knows the answer.
 *
 * <p>{@link #ack}, {@link #retry} and {@link #release} end the delivery. Settling it again, after
 * the lease has ended or on a lost channel completes with {@link SettleResult.Status#LATE}: nothing
 * is sent, and nothing else in flight is disturbed. After {@link SettleResult.Status#FAILED} the
 * delivery is as unsettled as before.
 */
public interface Acker {
  /** The outcome is durable: take the message off the source for good. */
  CompletionStage<SettleResult> ack();

  /**
   * Deliver it again after {@code delay}, not earlier, and mark it so that it arrives as {@link
   * RedeliveryHint#RETRIED}. Called only where {@link Capabilities#nativeRetry()} holds. Where that
   * is done by publishing a copy, the original is taken off only after the broker has confirmed the
   * copy.
   *
   * @param delay positive, at most {@link SourceSettings#longestDelay()}
   */
  CompletionStage<SettleResult> retry(Duration delay);

  /**
   * Puts a copy into the dead-letter target: body bytes, key and headers as received (but for the
   * broker's own death records and for whatever would make the copy expire), persistent, with
   * {@link DeathReport#toHeader()} in the header {@link DeathReport#HEADER}. {@link
   * SettleResult.Status#DONE} means that the broker has confirmed the copy <em>and</em> that it was
   * routed to a queue. This does <em>not</em> settle the delivery: core acks it when the death is
   * on record. Calling it again for the same delivery makes another copy with the same id.
   *
   * <p>Bounded in time: an adapter answers {@link SettleResult.Status#FAILED} when the broker has
   * not confirmed within about five seconds.
   */
  CompletionStage<SettleResult> deadLetter(DeathReport report);

  /**
   * Give it back: never started, not counted as an attempt, available to others at once. Where the
   * broker keeps order, the order is kept.
   */
  CompletionStage<SettleResult> release();

  /**
   * Whether a settle can still reach the broker. False once the channel, handle or assignment is
   * known to be gone: core then drops the delivery unstarted. Cheap; may say true too long.
   */
  boolean isLive();
}
