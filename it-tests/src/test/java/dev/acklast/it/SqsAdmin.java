package dev.acklast.it;

import dev.acklast.spi.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** What tests do with queues of SQS beside the adapter. */
final class SqsAdmin {
  private static final int BATCH = 10;

  /** Messages without an ordering key are spread over so many, so that they hold up nobody. */
  private static final int GROUPS = 100;

  private final SqsClient client;
  private final AtomicInteger nextGroup = new AtomicInteger();

  SqsAdmin(SqsClient client) {
    this.client = client;
  }

  void create(String queue) {
    create(queue, Map.of());
  }

  void create(String queue, Map<QueueAttributeName, String> attributes) {
    Map<QueueAttributeName, String> all = new HashMap<>(attributes);
    if (isFifo(queue)) {
      all.put(QueueAttributeName.FIFO_QUEUE, "true");
    }
    client.createQueue(create -> create.queueName(queue).attributes(all));
  }

  void delete(String queue) {
    try {
      String url = url(queue);
      client.deleteQueue(delete -> delete.queueUrl(url));
    } catch (QueueDoesNotExistException e) {
      // as wanted
    }
  }

  String url(String queue) {
    return client.getQueueUrl(get -> get.queueName(queue)).queueUrl();
  }

  /** One of the numbers that SQS keeps; 0 if there is no such queue. */
  int number(String queue, QueueAttributeName attribute) {
    try {
      String url = url(queue);
      return Integer.parseInt(
          client
              .getQueueAttributes(get -> get.queueUrl(url).attributeNames(attribute))
              .attributes()
              .get(attribute));
    } catch (QueueDoesNotExistException e) {
      return 0;
    }
  }

  int ready(String queue) {
    return number(queue, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES);
  }

  int unsettled(String queue) {
    return number(queue, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
  }

  void publish(String queue, List<Envelope> messages) {
    String url = url(queue);
    boolean alone = messages.stream().anyMatch(message -> message.body().length > 50_000);
    int size = alone ? 1 : BATCH;
    for (int from = 0; from < messages.size(); from += size) {
      List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
      for (Envelope message : messages.subList(from, Math.min(from + size, messages.size()))) {
        entries.add(entry(queue, message, Integer.toString(entries.size())));
      }
      var answer = client.sendMessageBatch(send -> send.queueUrl(url).entries(entries));
      if (answer.hasFailed()) {
        throw new IllegalStateException("not sent: " + answer.failed());
      }
    }
  }

  private SendMessageBatchRequestEntry entry(String queue, Envelope message, String id) {
    Map<String, MessageAttributeValue> attributes = new LinkedHashMap<>();
    message.headers().forEach((name, value) -> attributes.put(name, attribute(value)));
    if (message.contentType() != null) {
      attributes.put("contentType", attribute(message.contentType()));
    }
    SendMessageBatchRequestEntry.Builder entry =
        SendMessageBatchRequestEntry.builder()
            .id(id)
            .messageBody(new String(message.body(), StandardCharsets.UTF_8))
            .messageAttributes(attributes);
    if (isFifo(queue)) {
      String group = message.orderingKey();
      entry
          .messageGroupId(group == null ? "group-" + nextGroup.getAndIncrement() % GROUPS : group)
          .messageDeduplicationId(UUID.randomUUID().toString());
    }
    return entry.build();
  }

  private static MessageAttributeValue attribute(Object value) {
    MessageAttributeValue.Builder attribute = MessageAttributeValue.builder();
    if (value instanceof byte[] bytes) {
      return attribute.dataType("Binary").binaryValue(SdkBytes.fromByteArray(bytes)).build();
    }
    String type = value instanceof Number ? "Number" : "String";
    return attribute.dataType(type).stringValue(String.valueOf(value)).build();
  }

  /** Copies of all messages of a queue, which stay there. */
  List<Envelope> look(String queue) {
    if (ready(queue) == 0) {
      return List.of();
    }
    String url = url(queue);
    List<Message> messages = take(url);
    for (Message message : messages) {
      client.changeMessageVisibility(
          change ->
              change.queueUrl(url).receiptHandle(message.receiptHandle()).visibilityTimeout(0));
    }
    return messages.stream().map(message -> envelope(queue, message)).toList();
  }

  void move(String from, String to) {
    String url = url(from);
    for (Message message : take(url)) {
      publish(to, List.of(envelope(from, message)));
      client.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()));
    }
  }

  private List<Message> take(String url) {
    List<Message> all = new ArrayList<>();
    while (true) {
      List<Message> some =
          client
              .receiveMessage(
                  receive ->
                      receive
                          .queueUrl(url)
                          .maxNumberOfMessages(BATCH)
                          .visibilityTimeout(30)
                          .messageAttributeNames("All")
                          .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
              .messages();
      if (some.isEmpty()) {
        return all;
      }
      all.addAll(some);
    }
  }

  private static Envelope envelope(String queue, Message message) {
    Map<String, Object> headers = new LinkedHashMap<>();
    message
        .messageAttributes()
        .forEach(
            (name, value) ->
                headers.put(
                    name,
                    value.binaryValue() == null
                        ? value.stringValue()
                        : value.binaryValue().asByteArray()));
    Object contentType = headers.remove("contentType");
    return Envelope.of(queue, message.body().getBytes(StandardCharsets.UTF_8))
        .headers(headers)
        .contentType((String) contentType)
        .orderingKey(message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID))
        .messageId(message.messageId())
        .build();
  }

  static boolean isFifo(String queue) {
    return queue.endsWith(".fifo");
  }
}
