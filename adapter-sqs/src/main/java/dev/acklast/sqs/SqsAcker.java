package dev.acklast.sqs;

import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.SettleResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settles one delivery with the receipt handle that it came with, and keeps it invisible to others
 * until then. It is ours until its time has surely not ended: counted from before the call that
 * lent or extended it.
 */
final class SqsAcker implements Acker {
  private static final String SETTLED = "the delivery was settled before";
  private static final String UNDER_WAY = "the delivery is being settled";
  private static final String GONE =
      "the message was lent until now, and may be with another receiver: SQS delivers it again";

  private enum State {
    HELD,
    SETTLING,
    SETTLED,
    LOST
  }

  private final Received received;
  private final Held held;
  private final Line line;
  private final long lentNanos;
  private long deadlineNanos;
  private State state = State.HELD;
  private boolean extending;
  private boolean extendable = true;
  private @Nullable Runnable afterExtension;

  SqsAcker(Received received, Held held, Line line, long lentNanos) {
    this.received = received;
    this.held = held;
    this.line = line;
    this.lentNanos = lentNanos;
    this.deadlineNanos = lentNanos + held.visibility().toNanos();
  }

  @Override
  public CompletionStage<SettleResult> ack() {
    return settle(then -> held.link().delete(received.handle(), then), () -> {});
  }

  @Override
  public CompletionStage<SettleResult> retry(Duration delay) {
    return settle(
        then -> held.link().reappear(received.handle(), secondsOf(delay), then),
        () -> held.retries().add(received));
  }

  @Override
  public CompletionStage<SettleResult> release() {
    return settle(then -> held.link().reappear(received.handle(), 0, then), () -> {});
  }

  @Override
  public CompletionStage<SettleResult> deadLetter(DeathReport report) {
    hasEnded();
    String late = late();
    return late == null
        ? held.deadLetters().send(received, report)
        : CompletableFuture.completedFuture(SettleResult.late(late));
  }

  @Override
  public boolean isLive() {
    return stillOurs() && !hasEnded();
  }

  private synchronized boolean stillOurs() {
    return state == State.HELD || state == State.SETTLING;
  }

  /** Asks for more time if a third of it is over, and gives the message up if all of it is. */
  void tend(long now) {
    if (hasEnded()) {
      return;
    }
    int seconds = (int) Math.min(held.visibility().toSeconds(), budget().toSeconds());
    synchronized (this) {
      boolean due = deadlineNanos - now < held.visibility().toNanos() * 2 / 3;
      // What is being settled is left alone, as the later of both calls would win.
      if (state != State.HELD || !due || !extendable || extending || seconds <= 0) {
        return;
      }
      extending = true;
    }
    held.link().extend(received.handle(), seconds, outcome -> extended(outcome, seconds));
  }

  /**
   * Whether its time is over. Whoever finds that first gives the message up for good, although an
   * extension under way may yet succeed: core has then been told that it is gone.
   */
  private boolean hasEnded() {
    synchronized (this) {
      if (state != State.HELD) {
        return state == State.LOST;
      }
      if (System.nanoTime() - deadlineNanos < 0) {
        return false;
      }
      state = State.LOST;
    }
    held.lost(this);
    line.breakAfter(this);
    return true;
  }

  /** One before it in its group is gone, so that it must not be handled here. */
  void abandon() {
    synchronized (this) {
      if (state != State.HELD) {
        return;
      }
      state = State.LOST;
    }
    held.over(this);
    held.link().reappear(received.handle(), 0, outcome -> {});
  }

  private void extended(Outcome outcome, int seconds) {
    Runnable next;
    boolean unwanted;
    synchronized (this) {
      extending = false;
      unwanted = state == State.LOST && outcome.kind() == Outcome.Kind.DONE;
      switch (outcome.kind()) {
        case DONE -> deadlineNanos = outcome.sentNanos() + TimeUnit.SECONDS.toNanos(seconds);
        case REFUSED -> extendable = false; // its time runs out
        case FAILED -> {} // tried again at the next look
      }
      next = afterExtension;
      afterExtension = null;
    }
    if (next != null) {
      next.run();
    } else if (unwanted) {
      held.link().reappear(received.handle(), 0, ignored -> {});
    }
  }

  private CompletionStage<SettleResult> settle(Consumer<Consumer<Outcome>> call, Runnable done) {
    CompletableFuture<SettleResult> answer = new CompletableFuture<>();
    Runnable send = () -> call.accept(outcome -> answer.complete(settled(outcome, done)));
    hasEnded();
    synchronized (this) {
      String late = late();
      if (late != null) {
        return CompletableFuture.completedFuture(SettleResult.late(late));
      }
      state = State.SETTLING;
      if (extending) {
        afterExtension = send; // an extension that came later would undo it
        return answer;
      }
    }
    send.run();
    return answer;
  }

  private SettleResult settled(Outcome outcome, Runnable done) {
    synchronized (this) {
      boolean over = System.nanoTime() - deadlineNanos >= 0;
      state =
          switch (outcome.kind()) {
            case DONE -> State.SETTLED;
            case REFUSED -> State.LOST;
            case FAILED -> over ? State.LOST : State.HELD;
          };
      if (state == State.HELD) {
        return outcome.failure();
      }
    }
    held.over(this);
    if (outcome.kind() == Outcome.Kind.DONE) {
      done.run();
      return SettleResult.done();
    }
    line.breakAfter(this);
    return SettleResult.late(String.valueOf(outcome.reason()));
  }

  private synchronized @Nullable String late() {
    return switch (state) {
      case SETTLED -> SETTLED;
      case SETTLING -> UNDER_WAY;
      case LOST -> GONE;
      case HELD -> null;
    };
  }

  /** What is left of the twelve hours, which begin with the receive. */
  private Duration budget() {
    return Options.LONGEST_LEASE.minusNanos(System.nanoTime() - lentNanos);
  }

  /** Rounded up, as it must not come earlier; never more than the service grants. */
  private int secondsOf(Duration delay) {
    long seconds = delay.plusNanos(999_999_999).toSeconds();
    return (int) Math.max(0, Math.min(seconds, budget().toSeconds()));
  }
}
