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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Consumes one queue on a channel of its own, and comes back by itself when the broker cancels the
 * consumer or closes the channel. All but {@link #shut}, {@link #close}, {@link #trouble} and
 * {@link #outlets} is called on the control thread only.
 */
final class QueueConsumer {
  private final String queue;
  private final Options options;
  private final int prefetch;
  private final Outlets outlets;
  private final Link link;
  private final Pacing pacing = new Pacing();
  private @Nullable Connection connection;
  private volatile @Nullable Channel channel;
  private @Nullable String consumerTag;
  private boolean wanted = true;
  private boolean comingBack;
  private volatile @Nullable Intake intake;
  private volatile boolean shut;
  private volatile @Nullable String trouble = "it is not connected yet";

  /** What the consumers of one subscription share. */
  record Link(Sink sink, Workers workers, Publisher publisher, TroubleLog log) {}

  QueueConsumer(String queue, Options options, int prefetch, Outlets outlets, Link link) {
    this.queue = queue;
    this.options = options;
    this.prefetch = prefetch;
    this.outlets = outlets;
    this.link = link;
  }

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
    channel = null;
    consumerTag = null;
    step();
  }

  /** The connection is gone, and every channel with it. */
  void disconnected(String why) {
    connection = null;
    channel = null;
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
    step();
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
    if (current != null && tag != null) {
      try {
        current.basicCancel(tag);
      } catch (IOException | AlreadyClosedException e) {
        link.log().trouble(queue, Diagnosis.consuming(e, queue), e);
      }
    }
  }

  /** Closes the channel; then the broker has read everything that was sent on it. Any thread. */
  void close() {
    Connector.abort(channel);
  }

  /** Does what is missing until the queue is consumed, or would be if not paused. */
  private void step() {
    Connection current = connection;
    if (current == null || shut) {
      return;
    }
    try {
      Channel known = channel;
      Channel on = known == null ? open(current) : known;
      if (!wanted) {
        on.queueDeclarePassive(queue);
      } else if (consumerTag == null) {
        consume(on);
      }
      trouble = null;
      pacing.up();
      link.log().mended(queue, "queue '" + queue + "' is consumed again");
    } catch (IOException | AlreadyClosedException e) {
      failed(e);
    }
  }

  private Channel open(Connection on) throws IOException {
    Channel opened = Connector.channel(on);
    Intake fresh = new Intake(link.sink(), link.workers(), prefetch);
    channel = opened;
    intake = fresh;
    if (shut) {
      fresh.shut(); // it was made while somebody shut what there was before
    }
    opened.addShutdownListener(signal -> link.workers().control(() -> lost(opened, signal)));
    opened.basicQos(prefetch);
    return opened;
  }

  private void consume(Channel on) throws IOException {
    Intake current = Objects.requireNonNull(intake);
    current.flow();
    boolean exclusive = options.order() == Options.Order.EXCLUSIVE;
    Callbacks callbacks = new Callbacks(on, current);
    consumerTag = on.basicConsume(queue, false, "", false, exclusive, null, callbacks);
  }

  /** What does not answer in time is closed, so that what it holds goes back. */
  private void failed(Exception e) {
    Channel broken = channel;
    channel = null;
    consumerTag = null;
    if (!shut) {
      comeBack(Diagnosis.consuming(e, queue), e);
      Connector.abort(broken);
    }
  }

  private void lost(Channel which, ShutdownSignalException signal) {
    if (which == channel && !signal.isHardError() && !signal.isInitiatedByApplication()) {
      failed(signal);
    }
  }

  /** The channel stays, as deliveries under way may yet be settled on it. */
  private void cancelledByBroker(Channel which) {
    if (which == channel && !shut) {
      consumerTag = null;
      String consumer = "RabbitMQ has cancelled the consumer of queue '" + queue + "'";
      comeBack(consumer + ": if it was deleted, create it again", null);
    }
  }

  private void comeBack(String sentence, @Nullable Exception cause) {
    trouble = sentence;
    link.log().trouble(queue, sentence, cause);
    if (!comingBack) {
      comingBack = true;
      link.workers()
          .controlLater(
              () -> {
                comingBack = false;
                step();
              },
              pacing.next());
    }
  }

  /** What the client calls, on the callbacks' thread. */
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
