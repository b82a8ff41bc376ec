package dev.acklast.demo;

import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.QUEUE_ARN;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.REDRIVE_POLICY;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.VISIBILITY_TIMEOUT;

import dev.acklast.servers.Servers;
import dev.acklast.servers.SqsServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * SQS: a standard queue for each consumer, and every event in both, as a topic of SNS would send
 * it. The usual consumer's queue has a redrive policy, as is usual.
 */
record SqsBroker(SqsServer server, SqsClient client) implements Broker {
  static final String ENDPOINT = "SQS_ENDPOINT";
  static final String REGION = "AWS_REGION";
  static final String ACKLAST = "sales";
  static final String USUAL = "sales-usual";
  private static final String DEAD_LETTERS = "-dlq";
  private static final String ALL = "All";

  /** What a killed consumer had in hand is invisible for so long. */
  static final int VISIBILITY_SECONDS = 10;

  private static final int MAX_ATTEMPTS = 3;
  private static final int MOST_RECEIVED = 10;
  private static final int AUDIT_SECONDS = 60;
  private static final String DUMMY = "test";

  static Broker start() {
    SqsServer server = Servers.sqs();
    return new SqsBroker(server, server.client());
  }

  @Override
  public void declare() {
    String visibility = Integer.toString(VISIBILITY_SECONDS);
    create(ACKLAST, Map.of(VISIBILITY_TIMEOUT, visibility));
    // Acklast makes its own dead-letter queue when it starts.
    create(USUAL + DEAD_LETTERS, Map.of());
    String arn = attributes(USUAL + DEAD_LETTERS, QUEUE_ARN).get(QUEUE_ARN);
    String policy =
        "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"%d\"}".formatted(arn, MAX_ATTEMPTS);
    create(USUAL, Map.of(VISIBILITY_TIMEOUT, visibility, REDRIVE_POLICY, policy));
  }

  private void create(String queue, Map<QueueAttributeName, String> attributes) {
    client.createQueue(request -> request.queueName(queue).attributes(attributes));
  }

  @Override
  public Outlet open() {
    return new SqsOutlet(client, List.of(url(ACKLAST), url(USUAL)));
  }

  private String url(String queue) {
    return client.getQueueUrl(request -> request.queueName(queue)).queueUrl();
  }

  @Override
  public long unfinished() {
    return left() + left(USUAL);
  }

  @Override
  public long left() {
    return left(ACKLAST);
  }

  private long left(String queue) {
    return attributes(
            queue,
            APPROXIMATE_NUMBER_OF_MESSAGES,
            APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
            APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED)
        .values()
        .stream()
        .mapToLong(Long::parseLong)
        .sum();
  }

  private Map<QueueAttributeName, String> attributes(String queue, QueueAttributeName... names) {
    String url = url(queue);
    return client
        .getQueueAttributes(request -> request.queueUrl(url).attributeNames(names))
        .attributes();
  }

  @Override
  public List<DeadLetter> deadLetters(Side side) {
    String url = url((side == Side.ACKLAST ? ACKLAST : USUAL) + DEAD_LETTERS);
    List<DeadLetter> letters = new ArrayList<>();
    List<Message> received = receive(url);
    while (!received.isEmpty()) {
      received.forEach(message -> letters.add(letter(message)));
      received = receive(url);
    }
    return letters;
  }

  /** They stay, and are invisible until all have been read. */
  private List<Message> receive(String url) {
    return client
        .receiveMessage(
            request ->
                request
                    .queueUrl(url)
                    .maxNumberOfMessages(MOST_RECEIVED)
                    .visibilityTimeout(AUDIT_SECONDS)
                    .messageAttributeNames(ALL))
        .messages();
  }

  private static DeadLetter letter(Message message) {
    MessageAttributeValue sale = message.messageAttributes().get(Publisher.SALE_HEADER);
    return new DeadLetter(
        sale == null ? null : sale.stringValue(),
        message.messageId(),
        message.body().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public boolean canRestart() {
    return server.canRestart();
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public Map<String, String> environment() {
    Map<String, String> variables = new HashMap<>();
    variables.put(ENDPOINT, server.endpoint().toString());
    variables.put(REGION, server.region());
    variables.put("AWS_ACCESS_KEY_ID", DUMMY);
    variables.put("AWS_SECRET_ACCESS_KEY", DUMMY);
    return variables;
  }

  @Override
  public List<String> hints() {
    return List.of(
        "The queues sales, sales-dlq, sales-usual, sales-usual-dlq, with any AWS credentials:",
        "  aws --endpoint-url %s --region %s sqs receive-message --message-attribute-names All \\"
            .formatted(server.endpoint(), server.region()),
        "    --queue-url " + url(ACKLAST) + DEAD_LETTERS);
  }

  @Override
  public String toString() {
    return server.toString();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
