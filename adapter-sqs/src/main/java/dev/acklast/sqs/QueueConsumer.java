package dev.acklast.sqs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.acklast.spi.Delivery;
import dev.acklast.spi.Facts;
import dev.acklast.spi.Health;
import dev.acklast.spi.Pacing;
import dev.acklast.spi.RedeliveryHint;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.Sink;
import dev.acklast.spi.TroubleLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Consumes one queue: opens it, hands over what is received, and opens it anew, with growing
 * pauses, after every kind of error. Thread-safe.
 */
final class QueueConsumer {
  /** Deaths that are blamed on nobody, and one delivery whose answer never reached us. */
  private static final int SPARE_DELIVERIES = 3;

  private final QueueName queue;
  private final Options options;
  private final Sink sink;
  private final Parts parts;
  private final Polling polling;
  private final Held held;
  private final Object handingOver = new Object();
  private final Pacing pacing = new Pacing();
  private final Deque<String> unansweredAttempts = new ArrayDeque<>();
  private volatile String url = "";
  private volatile @Nullable String trouble;
  private boolean wanted = true;
  private boolean opening;
  private boolean openedBefore;
  private boolean shut;

  /** What the consumers of one subscription share, and this one's dead letters. */
  record Parts(Calls calls, Workers workers, TroubleLog log, DeadLetters deadLetters) {}

  QueueConsumer(QueueName queue, Options options, int prefetch, Sink sink, Parts parts) {
    this.queue = queue;
    this.options = options;
    this.sink = sink;
    this.parts = parts;
    this.trouble = "queue '" + queue + "': it is not opened yet";
    this.polling = new Polling(parts.workers(), prefetch, options.polls());
    polling.receiver(this::receive);
    QueueLink link =
        new QueueLink(queue, options.visibility(), parts.calls(), parts.workers(), parts.log());
    this.held =
        new Held(
            new Held.Parts(link, parts.deadLetters()), options.visibility(), polling, parts.log());
  }

  Held held() {
    return held;
  }

  synchronized void start() {
    openSoon(Duration.ZERO);
  }

  synchronized void flow(boolean on) {
    wanted = on;
    polling.flow(on && trouble == null);
  }

  /** When it returns, nothing more reaches core. */
  void shut() {
    polling.shut();
    synchronized (handingOver) {
      shut = true;
    }
  }

  boolean awaitIdle(long end) throws InterruptedException {
    return polling.awaitIdle(end);
  }

  Health health() {
    String down = trouble;
    if (down != null) {
      return Health.down(down);
    }
    Health health = Health.up();
    for (String slow : held.link().troubles()) {
      health = health.and(Health.degraded(slow));
    }
    return health;
  }

  private synchronized void openSoon(Duration delay) {
    if (!opening) {
      opening = true;
      parts.workers().later(() -> parts.workers().poll(this::open), delay);
    }
  }

  private void open() {
    try {
      String found = parts.calls().url(queue);
      url = found;
      held.link().opened(found);
      Map<QueueAttributeName, String> attributes = parts.calls().attributes(queue, found);
      if (!openedBefore) {
        held.link().probe();
        parts.deadLetters().open(attributes);
      }
      sink.opened(facts(attributes));
      flowing();
    } catch (CallFailedException e) {
      openFailed(String.valueOf(e.getMessage()), e.getCause());
    } catch (RefusedException e) {
      openFailed("queue '" + queue + "': " + e.getMessage(), null);
    } catch (RuntimeException e) {
      openFailed("queue '" + queue + "': it cannot be opened: " + e.getClass().getName(), e);
    }
  }

  private Facts facts(Map<QueueAttributeName, String> attributes) {
    JsonNode limit = DeadLetters.redrivePolicy(attributes).path("maxReceiveCount");
    String retention = attributes.get(QueueAttributeName.MESSAGE_RETENTION_PERIOD);
    return new Facts(
            Options.LONGEST_LEASE,
            limit.isMissingNode() ? null : limit.asInt(),
            retention == null ? null : Duration.ofSeconds(Long.parseLong(retention)),
            List.of())
        .sparing(SPARE_DELIVERIES);
  }

  private synchronized void flowing() {
    opening = false;
    openedBefore = true;
    trouble = null;
    pacing.up();
    parts.log().mended(queue.name(), "queue '" + queue + "' is consumed again");
    polling.flow(wanted);
  }

  private synchronized void openFailed(String sentence, @Nullable Throwable cause) {
    opening = false;
    failed(sentence, cause);
  }

  private synchronized void failed(String sentence, @Nullable Throwable cause) {
    polling.flow(false);
    trouble = sentence;
    parts.log().trouble(queue.name(), sentence, cause);
    if (!opening) {
      openSoon(pacing.next());
    }
  }

  /** The lease begins before the call is sent, as nobody knows when the service granted it. */
  private int receive(int most) {
    String attempt = attempt();
    Calls.Receive call =
        new Calls.Receive(url, most, options.effectiveLongPoll(), options.visibility(), attempt);
    long sent = System.nanoTime();
    try {
      List<Message> messages = parts.calls().receive(queue, call);
      if (!messages.isEmpty()) {
        handOver(messages, sent);
      }
      return messages.size();
    } catch (CallFailedException e) {
      if (attempt != null && e.isUnknown()) {
        repeatable(attempt);
      }
      failed(String.valueOf(e.getMessage()), e.getCause());
      return -1;
    }
  }

  /**
   * A receive that is repeated with its id brings what the first answer would have brought, which
   * would otherwise hold up its groups until their time is over. FIFO queues only.
   */
  private synchronized @Nullable String attempt() {
    if (!queue.isFifo()) {
      return null;
    }
    String unanswered = unansweredAttempts.poll();
    return unanswered == null ? UUID.randomUUID().toString() : unanswered;
  }

  private synchronized void repeatable(String attempt) {
    if (unansweredAttempts.size() < options.polls()) {
      unansweredAttempts.add(attempt);
    }
  }

  private void handOver(List<Message> messages, long sent) {
    synchronized (handingOver) {
      if (!shut) {
        polling.arrived(messages.size());
        List<Delivery> deliveries = deliveries(messages, sent);
        held.tend(); // a long wait has used up much of a short lease
        deliveries.forEach(sink::deliver);
        return;
      }
    }
    held.link().giveBackNow(messages);
  }

  private List<Delivery> deliveries(List<Message> messages, long sent) {
    Map<String, Line> lines = new HashMap<>();
    List<Delivery> deliveries = new ArrayList<>();
    for (Message message : messages) {
      Received received = new Received(queue, message);
      String group = queue.isFifo() ? received.group() : null;
      Line line = group == null ? new Line() : lines.computeIfAbsent(group, g -> new Line());
      SqsAcker acker = new SqsAcker(received, held, line, sent);
      line.add(acker);
      held.add(acker);
      deliveries.add(new Delivery(received.envelope(options.unwrapsSns(), hint(received)), acker));
    }
    return deliveries;
  }

  private RedeliveryHint hint(Received received) {
    if (received.receiveCount() == 1) {
      return RedeliveryHint.FIRST;
    }
    return held.retries().explain(received) ? RedeliveryHint.RETRIED : RedeliveryHint.SUSPECT;
  }
}
