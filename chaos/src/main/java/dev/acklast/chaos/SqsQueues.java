package dev.acklast.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.acklast.spi.DeathReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/**
 * The queues of a run on SQS, and what is done with them beside consuming. Immutable.
 *
 * @param fifo whether they keep order
 */
record SqsQueues(SqsClient client, boolean fifo) {
  static final int MOST = 10;
  private static final int GROUPS = 200;

  String source() {
    return fifo ? "work.fifo" : "work";
  }

  private String dead() {
    return fifo ? "work-dlq.fifo" : "work-dlq";
  }

  void create() {
    Map<QueueAttributeName, String> attributes = new HashMap<>();
    if (fifo) {
      attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
    }
    for (String queue : List.of(source(), dead())) {
      client.createQueue(create -> create.queueName(queue).attributes(attributes));
    }
  }

  private String url(String queue) {
    return client.getQueueUrl(get -> get.queueName(queue)).queueUrl();
  }

  Residue residue() {
    String url = url(source());
    Map<QueueAttributeName, String> numbers =
        client
            .getQueueAttributes(get -> get.queueUrl(url).attributeNames(QueueAttributeName.ALL))
            .attributes();
    return new Residue(
        number(numbers, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
        number(numbers, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE),
        number(numbers, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED));
  }

  private static long number(Map<QueueAttributeName, String> all, QueueAttributeName name) {
    return Long.parseLong(all.getOrDefault(name, "0"));
  }

  /** Sends at most {@link #MOST} messages; returns the places of those that were taken. */
  List<Integer> send(List<Message> messages) {
    String url = url(source());
    List<SendMessageBatchRequestEntry> entries =
        IntStream.range(0, messages.size())
            .mapToObj(place -> entry(messages.get(place), place))
            .toList();
    return client
        .sendMessageBatch(send -> send.queueUrl(url).entries(entries))
        .successful()
        .stream()
        .map(taken -> Integer.valueOf(taken.id()))
        .toList();
  }

  private SendMessageBatchRequestEntry entry(Message message, int place) {
    SendMessageBatchRequestEntry.Builder entry =
        SendMessageBatchRequestEntry.builder()
            .id(Integer.toString(place))
            .messageBody(new String(message.body(), UTF_8))
            .messageAttributes(
                Map.of(
                    Letter.KEY_HEADER, text(message.key()), Letter.ID_HEADER, text(message.id())));
    if (fifo) {
      int group = Math.floorMod(message.key().hashCode(), GROUPS);
      entry.messageGroupId("group-" + group).messageDeduplicationId(message.id().replace('/', '_'));
    }
    return entry.build();
  }

  private static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  /** Takes letters off their queue, as a FIFO queue shows only the first of each group. */
  List<Letter> takeLetters() throws IOException {
    String url = url(dead());
    List<Letter> letters = new ArrayList<>();
    while (true) {
      var messages =
          client
              .receiveMessage(
                  receive ->
                      receive.queueUrl(url).maxNumberOfMessages(MOST).messageAttributeNames("All"))
              .messages();
      if (messages.isEmpty()) {
        return letters;
      }
      for (var message : messages) {
        letters.add(letter(message.body(), message.messageAttributes()));
      }
      List<DeleteMessageBatchRequestEntry> entries =
          messages.stream()
              .map(
                  message ->
                      DeleteMessageBatchRequestEntry.builder()
                          .id(message.messageId())
                          .receiptHandle(message.receiptHandle())
                          .build())
              .collect(Collectors.toList());
      client.deleteMessageBatch(delete -> delete.queueUrl(url).entries(entries));
    }
  }

  private static Letter letter(String body, Map<String, MessageAttributeValue> attributes)
      throws IOException {
    return new Letter(
        value(attributes, Letter.KEY_HEADER),
        value(attributes, Letter.ID_HEADER),
        body.getBytes(UTF_8),
        Letter.Death.parse(value(attributes, DeathReport.HEADER)));
  }

  private static @Nullable String value(
      Map<String, MessageAttributeValue> attributes, String name) {
    MessageAttributeValue value = attributes.get(name);
    return value == null ? null : value.stringValue();
  }
}
