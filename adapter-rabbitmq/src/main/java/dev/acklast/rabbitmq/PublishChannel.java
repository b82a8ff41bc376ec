package dev.acklast.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
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
  private final AtomicReference<@Nullable Copy> current = new AtomicReference<>();
  private volatile @Nullable String returned;

  /**
   * Opens one; blocks for the broker's answers.
   *
   * @param whenFree called on any thread when the next copy can be sent, or none any more
   */
  PublishChannel(Connection connection, Consumer<PublishChannel> whenFree) throws IOException {
    this.channel = Connector.channel(connection);
    this.whenFree = whenFree;
    channel.confirmSelect();
    channel.addReturnListener(message -> returned = message.getReplyText());
    channel.addConfirmListener((tag, multiple) -> confirmed(), (tag, multiple) -> refused());
    channel.addShutdownListener(signal -> answered(Diagnosis.text(signal), signal));
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Sends a copy; to be called on a free channel only. */
  void send(Copy copy) {
    returned = null;
    current.set(copy);
    try {
      copy.sendOn(channel);
    } catch (IOException | RuntimeException e) {
      answered(Diagnosis.text(e), e);
      Connector.abort(channel);
    }
  }

  private void confirmed() {
    String reply = returned;
    answered(reply == null ? null : "it was not routed to any queue (" + reply + ")", null);
  }

  private void refused() {
    answered("RabbitMQ refused it (basic.nack): is the queue full, or without a majority?", null);
  }

  private void answered(@Nullable String failure, @Nullable Throwable cause) {
    Copy copy = current.getAndSet(null);
    if (copy != null) {
      copy.answered(failure, cause);
    }
    whenFree.accept(this);
  }
}
