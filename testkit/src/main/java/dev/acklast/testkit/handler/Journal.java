package dev.acklast.testkit.handler;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What was heard of all processes of one stage, and where they meet. Thread-safe. */
final class Journal {
  private static final long MEETING_MILLIS = 150;

  /** Of the messages that were claimed or found to be claimed, each once. */
  final Set<String> keys = ConcurrentHashMap.newKeySet();

  /** What the handler executed, in order; each statement as often as it was. */
  final List<String> statements = new CopyOnWriteArrayList<>();

  /** Connections that the handler took beside its transaction's. */
  final AtomicInteger ownConnections = new AtomicInteger();

  /** Connections that anybody took. */
  final AtomicInteger connections = new AtomicInteger();

  final AtomicInteger deadLetters = new AtomicInteger();
  private final Exchanger<Thread> meeting = new Exchanger<>();
  private volatile @Nullable Throwable lastFailure;

  /** Waits a moment for another transaction to come as far as this one. */
  void meetAnother() {
    try {
      meeting.exchange(Thread.currentThread(), MEETING_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // There is none, or it waits for a lock that this one holds.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void failed(Throwable failure) {
    lastFailure = failure;
  }

  @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /** How the last failure is told: in the user's own words. */
  String lastFailureInWords() {
    Throwable failure = lastFailure;
    return failure == null ? "" : "; the last failure was " + failure;
  }
}
