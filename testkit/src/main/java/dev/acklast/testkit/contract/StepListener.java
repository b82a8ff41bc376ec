package dev.acklast.testkit.contract;

import dev.acklast.AcklastListener;
import dev.acklast.DeathReason;
import dev.acklast.MessageInfo;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes one method of all steps of a message, for those who treat them alike. */
@FunctionalInterface
interface StepListener extends AcklastListener {
  /**
   * One step was taken.
   *
   * @param key the business key; for an outage and a message without key, null
   */
  void step(Event event, @Nullable String key);

  @Override
  default void received(MessageInfo message) {
    step(Event.RECEIVED, message.key());
  }

  @Override
  default void claimed(MessageInfo message) {
    step(Event.CLAIMED, message.key());
  }

  @Override
  default void duplicate(MessageInfo message) {
    step(Event.DUPLICATE, message.key());
  }

  @Override
  default void effectDone(MessageInfo message, Duration took) {
    step(Event.EFFECT_DONE, message.key());
  }

  @Override
  default void committed(MessageInfo message) {
    step(Event.COMMITTED, message.key());
  }

  @Override
  default void attemptFailed(MessageInfo message, int attempts, Throwable failure) {
    step(Event.ATTEMPT_FAILED, message.key());
  }

  @Override
  default void rerun(MessageInfo message) {
    step(Event.RERUN, message.key());
  }

  @Override
  default void retried(MessageInfo message, Duration delay) {
    step(Event.RETRIED, message.key());
  }

  @Override
  default void deadLettered(MessageInfo message, DeathReason reason) {
    step(Event.DEAD_LETTERED, message.key());
  }

  @Override
  default void skipped(MessageInfo message) {
    step(Event.SKIPPED, message.key());
  }

  @Override
  default void released(MessageInfo message) {
    step(Event.RELEASED, message.key());
  }

  @Override
  default void settled(MessageInfo message) {
    step(Event.SETTLED, message.key());
  }

  @Override
  default void settleFailed(MessageInfo message, String reason) {
    step(Event.SETTLE_FAILED, message.key());
  }

  @Override
  default void outageOpened(String consumer, String reason) {
    step(Event.OUTAGE_OPENED, null);
  }

  @Override
  default void outageClosed(String consumer, Duration lasted) {
    step(Event.OUTAGE_CLOSED, null);
  }
}
