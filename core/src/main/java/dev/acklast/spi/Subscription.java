package dev.acklast.spi;

import java.time.Duration;

/**
 * One consumer's running tie to its source. The adapter owns its I/O threads, connects and
 * reconnects by itself with a backoff that has a cap and jitter, and pushes deliveries into the
 * sink. Core calls the methods from one thread at a time, in the order start, (pause, resume)*,
 * stopIntake, close; {@link #health} may be called at any time.
 */
public interface Subscription {
  /**
   * Begins to connect and consume, and returns at once: a broker that is down or a queue that is
   * missing shows in {@link #health}, and heals when it comes.
   */
  void start();

  /**
   * Asks the broker for no more, until {@link #resume}; also across reconnects. Deliveries under
   * way may still arrive for a moment. What was handed over stays ours, and its lease is kept.
   */
  void pause();

  /** Ends a pause. */
  void resume();

  /**
   * Ends the intake for good. When it returns, nothing more reaches the sink; what was received and
   * not handed over goes back to the broker. Bounded in time (about five seconds) even if the
   * broker hangs. Settling still works.
   */
  void stopIntake();

  /**
   * Sends what settles are under way and closes all connections. What is still unsettled is left to
   * the broker, which delivers it again. Returns within {@code deadline} even if the broker hangs;
   * no thread and no connection is left behind. Idempotent.
   */
  void close(Duration deadline);

  /** The truth of this moment: UP only while deliveries can flow, or could if not paused. */
  Health health();
}
