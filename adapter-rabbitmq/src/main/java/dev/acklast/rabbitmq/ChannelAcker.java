package dev.acklast.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import dev.acklast.spi.Acker;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.SettleResult;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Settles one delivery on the channel that it came from, once, and never another one's: always with
 * a single tag. The channel is never replaced under it, so a tag cannot be mistaken for a later
 * channel's.
 */
final class ChannelAcker implements Acker {
  private static final String SETTLED = "the delivery was settled before, or is about to be";
  private static final String GONE =
      "the channel that the delivery came from is gone: RabbitMQ delivers it again";

  private final Channel channel;
  private final Received received;
  private final Intake intake;
  private final Outlets outlets;
  private final Publisher publisher;
  private final AtomicBoolean settled = new AtomicBoolean();

  ChannelAcker(
      Channel channel, Received received, Intake intake, Outlets outlets, Publisher publisher) {
    this.channel = channel;
    this.received = received;
    this.intake = intake;
    this.outlets = outlets;
    this.publisher = publisher;
  }

  @Override
  public CompletionStage<SettleResult> ack() {
    return settle(true);
  }

  @Override
  public CompletionStage<SettleResult> release() {
    return settle(false);
  }

  @Override
  public CompletionStage<SettleResult> retry(Duration delay) {
    if (!isLive() || !settled.compareAndSet(false, true)) {
      return late();
    }
    return publisher
        .publish(outlets.delay(delay), Copies.forRetry(received), received.body())
        .thenApply(this::afterRetryCopy);
  }

  private SettleResult afterRetryCopy(SettleResult published) {
    if (published.isDone()) {
      return send(true);
    }
    settled.set(false);
    return published;
  }

  @Override
  public CompletionStage<SettleResult> deadLetter(DeathReport report) {
    if (settled.get() || !isLive()) {
      return late();
    }
    return publisher.publish(
        outlets.deadLetter(), Copies.forDeadLetter(received, report), received.body());
  }

  @Override
  public boolean isLive() {
    return channel.isOpen();
  }

  private CompletionStage<SettleResult> settle(boolean ack) {
    return settled.compareAndSet(false, true)
        ? CompletableFuture.completedFuture(send(ack))
        : late();
  }

  private SettleResult send(boolean ack) {
    long tag = received.amqp().getDeliveryTag();
    try {
      if (channel.isOpen()) {
        if (ack) {
          channel.basicAck(tag, false);
        } else {
          channel.basicNack(tag, false, true);
        }
        return SettleResult.done();
      }
    } catch (AlreadyClosedException | IOException e) {
      // A broken connection returns everything that is unsettled.
    } finally {
      intake.settled();
    }
    return SettleResult.late(GONE);
  }

  private CompletionStage<SettleResult> late() {
    return CompletableFuture.completedFuture(SettleResult.late(settled.get() ? SETTLED : GONE));
  }
}
