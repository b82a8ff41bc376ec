package dev.acklast.sqs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.acklast.spi.DeathReport;
import dev.acklast.spi.RefusedException;
import dev.acklast.spi.SettleResult;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeNameForSends;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * One queue's dead letters: to the queue that the user names, else to the target of the queue's own
 * redrive policy, else to {@code <queue>-dlq}. Thread-safe.
 */
final class DeadLetters {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LARGEST_MESSAGE = 1 << 20;
  private static final String LONGEST_RETENTION = "1209600"; // fourteen days, in seconds

  private final QueueName source;
  private final @Nullable QueueName named;
  private final boolean creates;
  private final Calls calls;
  private final Workers workers;
  private volatile Map<QueueAttributeName, String> sourceAttributes = Map.of();
  private volatile @Nullable Target target;

  /** Where dead letters go, and how large they may be in bytes. */
  private record Target(String url, int limit) {}

  DeadLetters(QueueName source, Options options, Chosen chosen, Calls calls, Workers workers) {
    this.source = source;
    this.creates = options.createsTopology();
    this.named = chosen.queue();
    this.calls = calls;
    this.workers = workers;
  }

  /** What the user named; null if nothing. */
  record Chosen(@Nullable QueueName queue) {

    /**
     * Checks a dead-letter queue's name against those of the sources.
     *
     * @throws IllegalArgumentException if they contradict each other
     */
    static Chosen of(@Nullable String name, Options options) {
      if (name == null) {
        return new Chosen(null);
      }
      QueueName queue = QueueName.of(name);
      if (options.queues().stream().anyMatch(each -> each.name().equals(queue.name()))) {
        throw new IllegalArgumentException(
            "The dead-letter queue '" + name + "' is the source itself: name another one");
      }
      if (queue.isFifo() != options.isFifo()) {
        throw new IllegalArgumentException(
            options.isFifo()
                ? "The dead letters of a FIFO queue need a FIFO queue: name it '" + name + ".fifo'"
                : "The dead letters of a standard queue need a standard queue, not '" + name + "'");
      }
      return new Chosen(queue);
    }
  }

  /**
   * Finds the target, or creates it.
   *
   * @param attributes the source queue's
   * @throws RefusedException if it is missing and must not be created
   */
  void open(Map<QueueAttributeName, String> attributes) throws CallFailedException {
    sourceAttributes = attributes;
    QueueName queue = name();
    String url = find(queue);
    target = new Target(url, limit(queue, url));
  }

  private QueueName name() {
    if (named != null) {
      return named;
    }
    String arn = redrivePolicy(sourceAttributes).path("deadLetterTargetArn").asText("");
    return arn.isEmpty() ? source.deadLetterQueue() : QueueName.of(arn);
  }

  /** The source queue's redrive policy; an empty node if it has none. */
  static JsonNode redrivePolicy(Map<QueueAttributeName, String> attributes) {
    try {
      return JSON.readTree(attributes.getOrDefault(QueueAttributeName.REDRIVE_POLICY, "{}"));
    } catch (JsonProcessingException e) {
      return JSON.createObjectNode();
    }
  }

  private String find(QueueName queue) throws CallFailedException {
    try {
      return calls.url(queue);
    } catch (CallFailedException e) {
      if (!e.isQueueMissing()) {
        throw e;
      }
      if (!creates) {
        throw new RefusedException(
            "the dead-letter queue '" + queue + "' does not exist: create it, or name another one");
      }
      return calls.create(queue, attributesOfNew());
    }
  }

  /** Dead letters are kept for as long as SQS can, and as safe as the source keeps its own. */
  private Map<QueueAttributeName, String> attributesOfNew() {
    Map<QueueAttributeName, String> attributes = new HashMap<>();
    attributes.put(QueueAttributeName.MESSAGE_RETENTION_PERIOD, LONGEST_RETENTION);
    if (source.isFifo()) {
      attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
    }
    String key = sourceAttributes.get(QueueAttributeName.KMS_MASTER_KEY_ID);
    if (key != null) {
      attributes.put(QueueAttributeName.KMS_MASTER_KEY_ID, key);
    }
    return attributes;
  }

  /** A policy need not let us look at the target: then the service's own limit is assumed. */
  private int limit(QueueName queue, String url) {
    try {
      String limit = calls.attributes(queue, url).get(QueueAttributeName.MAXIMUM_MESSAGE_SIZE);
      return limit == null ? LARGEST_MESSAGE : Integer.parseInt(limit);
    } catch (CallFailedException e) {
      return LARGEST_MESSAGE;
    }
  }

  /** Sends a copy; done when SQS has confirmed it. */
  CompletionStage<SettleResult> send(Received received, DeathReport report) {
    CompletableFuture<SettleResult> answer = new CompletableFuture<>();
    if (!workers.settle(() -> answer.complete(sendNow(received, report)))) {
      answer.complete(SettleResult.failed("the consumer is closed", null));
    }
    return answer;
  }

  private SettleResult sendNow(Received received, DeathReport report) {
    try {
      Target known = target;
      if (known == null) {
        open(sourceAttributes);
        known = target;
      }
      if (known == null) {
        return SettleResult.failed("queue '" + source + "' is not open yet", null);
      }
      calls.send(name(), copy(received, report, known));
      return SettleResult.done();
    } catch (CallFailedException e) {
      if (e.isQueueMissing()) {
        target = null; // looked for, or created, at the next try
      }
      return SettleResult.failed(String.valueOf(e.getMessage()), e.getCause());
    } catch (RefusedException e) {
      return SettleResult.failed(String.valueOf(e.getMessage()), null);
    }
  }

  /** In its own group as before; a second copy of the same death is one that SQS drops. */
  private SendMessageRequest.Builder copy(Received received, DeathReport report, Target to) {
    int room = to.limit() - Attributes.bytes(received.body());
    Map<String, MessageAttributeValue> attributes =
        new DeathRecord(received.attributes(), null).with(report, room);
    SendMessageRequest.Builder message =
        SendMessageRequest.builder()
            .queueUrl(to.url())
            .messageBody(received.body())
            .messageAttributes(attributes);
    String group = received.group();
    if (source.isFifo() && group != null) {
      message.messageGroupId(group).messageDeduplicationId(report.id());
    }
    String trace = received.system(MessageSystemAttributeName.AWS_TRACE_HEADER);
    if (trace != null) {
      message.messageSystemAttributes(
          Map.of(
              MessageSystemAttributeNameForSends.AWS_TRACE_HEADER,
              MessageSystemAttributeValue.builder().dataType("String").stringValue(trace).build()));
    }
    return message;
  }
}
