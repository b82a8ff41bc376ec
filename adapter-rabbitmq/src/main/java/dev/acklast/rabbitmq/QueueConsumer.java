package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Pacing;
import dev.acklast.spi.Sink;
import dev.acklast.spi.TroubleLog;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Consumes one queue on a channel of its own, and comes back by itself when the broker cancels the
 * consumer or closes the channel. All but {@link #shut}, {@link #trouble} and {@link #outlets} is
 * called on the control thread only.
 */
final class QueueConsumer {
  private final String queue;
  private final Options options;
  private final int prefetch;
  private final Sink sink;
  private final Outlets outlets;
  private final Link link;
  private final Pacing pacing = new Pacing();
  private @Nullable Connection connection;
  private volatile @Nullable Channel channel;
  private volatile @Nullable Intake intake;
  private @Nullable String consumerTag;
  private boolean wanted = true;
  private boolean reopening;
  private volatile boolean shut;
  private volatile @Nullable String trouble = "it is not connected yet";

  /** What the consumers of one subscription share. */
  record Link(Workers workers, Publisher publisher, TroubleLog log) {}

  QueueConsumer(String queue, Options options, int prefetch, Sink sink, QueueConsumer.Parts parts) {
    this.queue = queue;
    this.options = options;
    this.prefetch = prefetch;
    this.sink = sink;
    this.outlets = parts.outlets();
    this.link = parts.link();
  }

  /** What a consumer works with. */
  record Parts(Outlets outlets, Link link) {}

  Outlets outlets() {
    return outlets;
  }

  /** Why it does not consume; null if it does, or would if not paused. */
  @Nullable String trouble() {
    return trouble;
  }

  /** There is a connection: consume. */
  void connected(Connection made) {
    connection = made;
    open();
  }

  /** The connection is gone, and every channel with it. */
  void disconnected(String why) {
    connection = null;
    channel = null;
    consumerTag = null;
    trouble = "queue '" + queue + "': " + why;
  }

  void pause() {
    wanted = false;
    Intake current = intake;
    if (current != null) {
      current.hold();
    }
    cancel();
  }

  void resume() {
    wanted = true;
    Channel current = channel;
    if (current != null && current.isOpen() && consumerTag == null) {
      consume(current);
    }
  }

  /** Lets nothing more through to core, for good. Any thread; returns at once. */
  void shut() {
    shut = true;
    Intake current = intake;
    if (current != null) {
      current.shut();
    }
  }

  /** Tells the broker to send no more; what it has sent then goes back. */
  void cancel() {
    Channel current = channel;
    String tag = consumerTag;
    consumerTag = null;
    if (current == null || tag == null) {
      return;
    }
    try {
      current.basicCancel(tag);
    } catch (IOException | AlreadyClosedException e) {
      link.log().trouble(queue, Diagnosis.consuming(e, queue), e);
    }
  }

  /** Closes the channel, so that the broker has read everything that was sent on it. */
  void close() {
    Channel current = channel;
    if (current != null) {
      try {
        current.abort();
      } catch (IOException | RuntimeException e) {
        // The connection is closed next.
      }
    }
  }

  private void open() {
    Connection current = connection;
    if (current == null || shut) {
      return;
    }
    try {
      Channel opened = current.createChannel();
      if (opened == null) {
        throw new IOException("no channel is left on the connection: raise channel_max");
      }
      channel = opened;
      Intake fresh = new Intake(sink, link.workers(), prefetch);
      intake = fresh;
      opened.addShutdownListener(signal -> link.workers().control(() -> lost(opened, signal)));
      opened.basicQos(prefetch);
      opened.queueDeclarePassive(queue);
      if (wanted) {
        consume(opened);
      } else {
        consuming();
      }
    } catch (IOException | AlreadyClosedException e) {
      failed(e);
    }
  }

  private void consume(Channel on) {
    Intake current = intake;
    if (current == null) {
      return;
    }
    try {
      if (shut) {
        current.shut(); // it was made while somebody shut what there was before
      }
      current.flow();
      boolean exclusive = options.order() == Options.Order.EXCLUSIVE;
      consumerTag =
          on.basicConsume(queue, false, "", false, exclusive, null, new Callbacks(on, current));
      consuming();
    } catch (IOException | AlreadyClosedException e) {
      failed(e);
    }
  }

  private void consuming() {
    trouble = null;
    pacing.up();
    link.log().mended(queue, "queue '" + queue + "' is consumed again");
  }

  private void failed(Exception e) {
    Channel broken = channel;
    channel = null;
    consumerTag = null;
    if (shut) {
      return;
    }
    String sentence = Diagnosis.consuming(e, queue);
    trouble = sentence;
    link.log().trouble(queue, sentence, e);
    if (broken != null && broken.isOpen()) {
      abort(broken); // it did not answer in time: what it holds goes back
    }
    if (connection != null && !reopening) {
      reopening = true;
      link.workers().controlLater(this::reopen, pacing.next());
    }
  }

  private static void abort(Channel broken) {
    try {
      broken.abort();
    } catch (IOException | RuntimeException e) {
      // The broker learns of it when the connection ends.
    }
  }

  private void reopen() {
    reopening = false;
    if (channel == null) {
      open();
    }
  }

  private void lost(Channel which, ShutdownSignalException signal) {
    if (which == channel && !signal.isHardError() && !signal.isInitiatedByApplication()) {
      failed(signal);
    }
  }

  /** The channel stays, as deliveries under way may yet be settled on it. */
  private void cancelledByBroker(Channel which) {
    if (which != channel || shut) {
      return;
    }
    consumerTag = null;
    String sentence =
        "RabbitMQ has cancelled the consumer of queue '"
            + queue
            + "': if it was deleted, create it"
            + " again";
    trouble = sentence;
    link.log().trouble(queue, sentence, null);
    link.workers()
        .controlLater(
            () -> {
              if (which == channel && consumerTag == null && wanted) {
                consume(which);
              }
            },
            pacing.next());
  }

  /** What the client calls, on the deliveries thread. */
  private final class Callbacks extends DefaultConsumer {
    private final Intake to;

    Callbacks(Channel channel, Intake to) {
      super(channel);
      this.to = to;
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, BasicProperties properties, byte[] body) {
      Received received = new Received(queue, envelope, properties, body);
      ChannelAcker acker = new ChannelAcker(getChannel(), received, to, outlets, link.publisher());
      to.arrived(new Delivery(received.envelope(options.ordered()), acker));
    }

    @Override
    public void handleCancel(String tag) {
      link.workers().control(() -> cancelledByBroker(getChannel()));
    }

    @Override
    public void handleCancelOk(String tag) {
      to.giveBack();
    }
  }
}
