package dev.acklast.sqs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * What this adapter asks of the service. Each call is bounded in time, whatever the client's own
 * limits are, and blocks its thread meanwhile. Thread-safe.
 */
final class Calls {
  private static final Duration LIMIT = Duration.ofSeconds(4);

  /** How much later than asked a receive may end, before it counts as hanging. */
  private static final Duration RECEIVE_GRACE = Duration.ofMillis(2_500);

  private final SqsClient client;

  Calls(SqsClient client) {
    this.client = client;
  }

  /** A receive. */
  record Receive(
      String url, int most, Duration longPoll, Duration visibility, @Nullable String attempt) {}

  /** A batch on one queue: entry {@code i} is answered under the id {@code i}. */
  record Batch(QueueName queue, String url, Duration limit) {
    Batch(QueueName queue, String url) {
      this(queue, url, LIMIT);
    }
  }

  String url(QueueName queue) throws CallFailedException {
    String known = queue.url();
    if (known != null) {
      return known;
    }
    return call(
        "GetQueueUrl",
        queue,
        () ->
            client
                .getQueueUrl(
                    get ->
                        get.queueName(queue.name())
                            .queueOwnerAWSAccountId(queue.account())
                            .overrideConfiguration(within(LIMIT)))
                .queueUrl());
  }

  Map<QueueAttributeName, String> attributes(QueueName queue, String url)
      throws CallFailedException {
    return call(
        "GetQueueAttributes",
        queue,
        () ->
            client
                .getQueueAttributes(
                    get ->
                        get.queueUrl(url)
                            .attributeNames(QueueAttributeName.ALL)
                            .overrideConfiguration(within(LIMIT)))
                .attributes());
  }

  String create(QueueName queue, Map<QueueAttributeName, String> attributes)
      throws CallFailedException {
    return call(
        "CreateQueue",
        queue,
        () ->
            client
                .createQueue(
                    create ->
                        create
                            .queueName(queue.name())
                            .attributes(attributes)
                            .overrideConfiguration(within(LIMIT)))
                .queueUrl());
  }

  /** System attributes come only if they are asked for, and the receive count is one. */
  List<Message> receive(QueueName queue, Receive receive) throws CallFailedException {
    return call(
        "ReceiveMessage",
        queue,
        () ->
            client
                .receiveMessage(
                    ask ->
                        ask.queueUrl(receive.url())
                            .maxNumberOfMessages(receive.most())
                            .waitTimeSeconds((int) receive.longPoll().toSeconds())
                            .visibilityTimeout((int) receive.visibility().toSeconds())
                            .receiveRequestAttemptId(receive.attempt())
                            .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                            .messageAttributeNames("All")
                            .overrideConfiguration(within(receive.longPoll().plus(RECEIVE_GRACE))))
                .messages());
  }

  List<BatchResultErrorEntry> delete(Batch batch, List<DeleteMessageBatchRequestEntry> entries)
      throws CallFailedException {
    return call(
        "DeleteMessage",
        batch.queue(),
        () ->
            client
                .deleteMessageBatch(
                    delete ->
                        delete
                            .queueUrl(batch.url())
                            .entries(entries)
                            .overrideConfiguration(within(batch.limit())))
                .failed());
  }

  List<BatchResultErrorEntry> changeVisibility(
      Batch batch, List<ChangeMessageVisibilityBatchRequestEntry> entries)
      throws CallFailedException {
    return call(
        "ChangeMessageVisibility",
        batch.queue(),
        () ->
            client
                .changeMessageVisibilityBatch(
                    change ->
                        change
                            .queueUrl(batch.url())
                            .entries(entries)
                            .overrideConfiguration(within(batch.limit())))
                .failed());
  }

  void send(QueueName queue, SendMessageRequest.Builder message) throws CallFailedException {
    SendMessageRequest request = message.overrideConfiguration(within(LIMIT)).build();
    call("SendMessage", queue, () -> client.sendMessage(request));
  }

  private static Consumer<AwsRequestOverrideConfiguration.Builder> within(Duration limit) {
    return request -> request.apiCallTimeout(limit).apiCallAttemptTimeout(limit);
  }

  private static <R> R call(String action, QueueName queue, Supplier<R> call)
      throws CallFailedException {
    try {
      return call.get();
    } catch (RuntimeException e) { // the SDK's, or what the HTTP client says once it is closed
      throw CallFailedException.of(action, queue, e);
    }
  }
}
