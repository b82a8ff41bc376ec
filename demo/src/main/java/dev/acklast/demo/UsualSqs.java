package dev.acklast.demo;

import ch.qos.logback.classic.Level;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * The consumer that is usually written for SQS, as a program of its own, to compare with.
 *
 * <p>It does what good guides say: long polls for ten messages in each of four threads; the delete
 * after the database's commit; what fails becomes visible again at once, and the queue's redrive
 * policy puts it aside after the third receive.
 */
final class UsualSqs {
  private static final Logger LOG = LoggerFactory.getLogger(UsualSqs.class);
  private static final int THREADS = 4;
  private static final int MOST = 10;
  private static final int WAIT_SECONDS = 2;
  private static final long PAUSE_MILLIS = 500;

  private final SqsClient client;
  private final String url;
  private final UsualEffect effect;

  private UsualSqs(SqsClient client, String url, UsualEffect effect) {
    this.client = client;
    this.url = url;
    this.effect = effect;
  }

  /**
   * Consumes until the process ends.
   *
   * @param args none; the environment says where
   */
  public static void main(String[] args) {
    LogLevel.set(Level.WARN);
    SqsClient client =
        SqsClient.builder().endpointOverride(URI.create(System.getenv(SqsBroker.ENDPOINT))).build();
    String url = client.getQueueUrl(request -> request.queueName(SqsBroker.USUAL)).queueUrl();
    UsualSqs consumer = new UsualSqs(client, url, UsualEffect.fromEnvironment());
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    for (int i = 0; i < THREADS; i++) {
      threads.execute(consumer::consume);
    }
    System.out.println(UsualEffect.AT_WORK);
  }

  private void consume() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        receive().forEach(this::handle);
      } catch (SdkException e) {
        LOG.warn("SQS does not answer: {}", e.getClass().getSimpleName());
        pause();
      }
    }
  }

  private List<Message> receive() {
    return client
        .receiveMessage(
            request ->
                request.queueUrl(url).maxNumberOfMessages(MOST).waitTimeSeconds(WAIT_SECONDS))
        .messages();
  }

  private void handle(Message message) {
    try {
      effect.apply(message.messageId(), message.body().getBytes(StandardCharsets.UTF_8));
    } catch (IOException | SQLException e) {
      LOG.warn("Message {} failed: {}", message.messageId(), e.getClass().getSimpleName());
      client.changeMessageVisibility(
          request ->
              request.queueUrl(url).receiptHandle(message.receiptHandle()).visibilityTimeout(0));
      return;
    }
    client.deleteMessage(request -> request.queueUrl(url).receiptHandle(message.receiptHandle()));
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
