package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.SettleResult;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Settles one delivery on the channel that it came from, once, and never another one's: always with
 * a single tag. The channel is never replaced under it, so a tag cannot be mistaken for a later
 * channel's.
 */
final class ChannelAcker implements Acker {
  private static final String SETTLED = "the delivery was settled before";
  private static final String UNDER_WAY = "the delivery is being settled";
  private static final String GONE =
      "the channel that the delivery came from is gone: RabbitMQ delivers it again";

  private enum State {
    UNSETTLED,
    UNDER_WAY,
    SETTLED
  }

  private final Channel channel;
  private final Received received;
  private final Intake intake;
  private final Outlets outlets;
  private final Publisher publisher;
  private final AtomicReference<State> state = new AtomicReference<>(State.UNSETTLED);

  ChannelAcker(
      Channel channel, Received received, Intake intake, Outlets outlets, Publisher publisher) {
    this.channel = channel;
    this.received = received;
    this.intake = intake;
    this.outlets = outlets;
    this.publisher = publisher;
  }

  /** A frame that goes out on the delivery's channel. */
  @FunctionalInterface
  private interface Frame {
    void send(long tag) throws IOException;
  }

  @Override
  public CompletionStage<SettleResult> ack() {
    return CompletableFuture.completedFuture(
        settle(State.UNSETTLED, tag -> channel.basicAck(tag, false)));
  }

  @Override
  public CompletionStage<SettleResult> release() {
    return CompletableFuture.completedFuture(
        settle(State.UNSETTLED, tag -> channel.basicNack(tag, false, true)));
  }

  @Override
  public CompletionStage<SettleResult> retry(Duration delay) {
    if (!isLive()) {
      return late();
    }
    if (!state.compareAndSet(State.UNSETTLED, State.UNDER_WAY)) {
      return late();
    }
    BasicProperties properties = Copies.forRetry(received);
    return publisher
        .publish(new Copy(outlets.delay(delay), properties, received.body()))
        .thenApply(this::afterRetryCopy);
  }

  private SettleResult afterRetryCopy(SettleResult published) {
    if (published.isDone()) {
      return settle(State.UNDER_WAY, tag -> channel.basicAck(tag, false));
    }
    state.set(State.UNSETTLED);
    return published;
  }

  @Override
  public CompletionStage<SettleResult> deadLetter(DeathReport report) {
    if (state.get() != State.UNSETTLED || !isLive()) {
      return late();
    }
    BasicProperties properties = Copies.forDeadLetter(received, report);
    return publisher.publish(new Copy(outlets.deadLetter(), properties, received.body()));
  }

  @Override
  public boolean isLive() {
    return channel.isOpen();
  }

  /** Returns a delivery that core never saw. */
  void giveBackUnseen() {
    if (state.compareAndSet(State.UNSETTLED, State.SETTLED)) {
      send(tag -> channel.basicNack(tag, false, true));
    }
  }

  private SettleResult settle(State from, Frame frame) {
    if (!state.compareAndSet(from, State.SETTLED)) {
      return SettleResult.late(state.get() == State.UNDER_WAY ? UNDER_WAY : SETTLED);
    }
    boolean sent = send(frame);
    intake.settled();
    return sent ? SettleResult.done() : SettleResult.late(GONE);
  }

  private boolean send(Frame frame) {
    try {
      if (!channel.isOpen()) {
        return false;
      }
      frame.send(received.tag());
      return true;
    } catch (AlreadyClosedException | IOException e) {
      return false; // a broken connection returns everything that is unsettled
    }
  }

  private CompletionStage<SettleResult> late() {
    State current = state.get();
    String reason =
        current == State.SETTLED ? SETTLED : current == State.UNDER_WAY ? UNDER_WAY : GONE;
    return CompletableFuture.completedFuture(SettleResult.late(reason));
  }
}
