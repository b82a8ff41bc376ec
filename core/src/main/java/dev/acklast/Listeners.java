package dev.acklast;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All of a consumer's listeners as one; what they throw changes nothing. Thread-safe. */
final class Listeners implements AcklastListener {
  private static final Logger log = LoggerFactory.getLogger(Listeners.class);

  private final AcklastListener[] listeners;
  private final AtomicBoolean complained = new AtomicBoolean();

  Listeners(List<AcklastListener> listeners) {
    this.listeners = listeners.toArray(new AcklastListener[0]);
  }

  private void tell(Consumer<AcklastListener> event) {
    for (AcklastListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (Throwable e) { // Errors too: a listener changes no outcome
        if (complained.compareAndSet(false, true)) {
          log.warn("A listener threw; it is ignored, now and later", e);
        }
      }
    }
  }

  @Override
  public void started(String consumer, ConsumerLoad load) {
    tell(listener -> listener.started(consumer, load));
  }

  @Override
  public void closed(String consumer, ConsumerLoad load) {
    tell(listener -> listener.closed(consumer, load));
  }

  @Override
  public void received(MessageInfo message) {
    tell(listener -> listener.received(message));
  }

  @Override
  public void claimed(MessageInfo message) {
    tell(listener -> listener.claimed(message));
  }

  @Override
  public void duplicate(MessageInfo message) {
    tell(listener -> listener.duplicate(message));
  }

  @Override
  public void effectDone(MessageInfo message, Duration took) {
    tell(listener -> listener.effectDone(message, took));
  }

  @Override
  public void committed(MessageInfo message) {
    tell(listener -> listener.committed(message));
  }

  @Override
  public void attemptFailed(MessageInfo message, int attempts, Throwable failure) {
    tell(listener -> listener.attemptFailed(message, attempts, failure));
  }

  @Override
  public void rerun(MessageInfo message) {
    tell(listener -> listener.rerun(message));
  }

  @Override
  public void retried(MessageInfo message, Duration delay) {
    tell(listener -> listener.retried(message, delay));
  }

  @Override
  public void deadLettered(MessageInfo message, DeathReason reason) {
    tell(listener -> listener.deadLettered(message, reason));
  }

  @Override
  public void skipped(MessageInfo message) {
    tell(listener -> listener.skipped(message));
  }

  @Override
  public void released(MessageInfo message) {
    tell(listener -> listener.released(message));
  }

  @Override
  public void settled(MessageInfo message) {
    tell(listener -> listener.settled(message));
  }

  @Override
  public void settleFailed(MessageInfo message, String reason) {
    tell(listener -> listener.settleFailed(message, reason));
  }

  @Override
  public void outageOpened(String consumer, String reason) {
    tell(listener -> listener.outageOpened(consumer, reason));
  }

  @Override
  public void outageClosed(String consumer, Duration lasted) {
    tell(listener -> listener.outageClosed(consumer, lasted));
  }
}
