package dev.acklast;

import java.time.Duration;

/**
 * Hears of every step of a message's way. All methods do nothing by default. They are called on the
 * consumer's own threads, several at once, right at the step: implementations are thread-safe,
 * quick and do not block. What they throw is logged once and otherwise ignored; it changes no
 * outcome.
 */
public interface AcklastListener {
  /** A consumer of this name was started; {@code load} can be asked until it is closed. */
  default void started(String consumer, ConsumerLoad load) {}

  /** That consumer is closed; nothing more is heard of it, but for late settles. */
  default void closed(String consumer, ConsumerLoad load) {}

  /** Core was given the delivery. */
  default void received(MessageInfo message) {}

  /** The key was claimed in a transaction that may still roll back. */
  default void claimed(MessageInfo message) {}

  /** The claim exists already: there is nothing to do but ack. */
  default void duplicate(MessageInfo message) {}

  /** The handler returned normally; not yet committed. */
  default void effectDone(MessageInfo message, Duration took) {}

  /** Claim and effect are committed. */
  default void committed(MessageInfo message) {}

  /** The handler failed; {@code attempts} counts this failure. */
  default void attemptFailed(MessageInfo message, int attempts, Throwable failure) {}

  /**
   * The handler will run again for a message that did not fail, as its transaction was rolled back.
   */
  default void rerun(MessageInfo message) {}

  /** It will be tried again after {@code delay}. */
  default void retried(MessageInfo message, Duration delay) {}

  /** The dead-letter target has confirmed it. */
  default void deadLettered(MessageInfo message, DeathReason reason) {}

  /** The filter left it out. */
  default void skipped(MessageInfo message) {}

  /** It was given back unstarted. */
  default void released(MessageInfo message) {}

  /** The broker was told the outcome. */
  default void settled(MessageInfo message) {}

  /** Telling the broker failed, or came too late; the message will be seen again. */
  default void settleFailed(MessageInfo message, String reason) {}

  /** The database (or what {@code outageOn} names) is away: intake is paused. */
  default void outageOpened(String consumer, String reason) {}

  /** It is back. */
  default void outageClosed(String consumer, Duration lasted) {}
}
