package dev.acklast.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A confirming channel with at most one copy on its way: so a {@code basic.return}, which names no
 * publish, and a closed channel can only mean this one. After a timeout it stays taken until the
 * broker's late answer comes.
 */
final class PublishChannel {
  private final Channel channel;
  private final Consumer<PublishChannel> whenFree;
  private final Consumer<PublishChannel> whenGone;
  private @Nullable PublishJob current;
  private @Nullable String returned;

  private PublishChannel(
      Channel channel, Consumer<PublishChannel> whenFree, Consumer<PublishChannel> whenGone) {
    this.channel = channel;
    this.whenFree = whenFree;
    this.whenGone = whenGone;
  }

  /**
   * Opens one.
   *
   * @param whenFree called on the client's thread when the next copy can be sent
   * @param whenGone called on any thread when it is of no more use
   */
  static PublishChannel open(
      Connection connection, Consumer<PublishChannel> whenFree, Consumer<PublishChannel> whenGone)
      throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("no channel is left on the connection: raise channel_max");
    }
    PublishChannel publishing = new PublishChannel(channel, whenFree, whenGone);
    channel.confirmSelect();
    channel.addReturnListener(message -> publishing.returned(message.getReplyText()));
    channel.addConfirmListener(
        (tag, multiple) -> publishing.confirmed(true),
        (tag, multiple) -> publishing.confirmed(false));
    channel.addShutdownListener(publishing::closed);
    return publishing;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Sends a copy; to be called on a free channel only. */
  void send(PublishJob job) {
    synchronized (this) {
      current = job;
      returned = null;
    }
    Copy copy = job.copy();
    try {
      job.sent();
      channel.basicPublish(
          copy.target().exchange(),
          copy.target().routingKey(),
          true,
          copy.properties(),
          copy.body());
    } catch (IOException | RuntimeException e) {
      fail(e);
      abort();
    }
  }

  private void abort() {
    try {
      if (channel.isOpen()) {
        channel.abort();
      }
    } catch (IOException | RuntimeException e) {
      // It ends with its connection.
    }
  }

  private synchronized void returned(String reply) {
    returned = reply;
  }

  private void confirmed(boolean positive) {
    PublishJob job;
    String reply;
    synchronized (this) {
      job = current;
      current = null;
      reply = returned;
    }
    if (job == null) {
      return;
    }
    if (!positive) {
      job.failed(
          "RabbitMQ refused it (basic.nack): is the queue full, or without a majority?", null);
    } else if (reply != null) {
      job.failed("it was not routed to any queue (" + reply + ")", null);
    } else {
      job.done();
    }
    whenFree.accept(this);
  }

  private void closed(ShutdownSignalException signal) {
    fail(signal);
  }

  private void fail(Exception e) {
    PublishJob job;
    synchronized (this) {
      job = current;
      current = null;
    }
    if (job != null) {
      job.failed(Diagnosis.text(e), e);
    }
    whenGone.accept(this);
  }
}
