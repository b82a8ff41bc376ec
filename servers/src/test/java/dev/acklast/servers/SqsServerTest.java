package dev.acklast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class SqsServerTest {
  private static final Duration SOON = Duration.ofSeconds(15);
  private SqsServer server;
  private SqsClient client;
  private String queue;

  @BeforeEach
  void createQueue() {
    server = Servers.sharedSqs();
    assumeThat(server.canRestart()).as("the server is the user's own").isTrue();
    client = server.client();
    String name = Servers.uniqueName("sales") + ".fifo";
    queue =
        client
            .createQueue(
                create ->
                    create
                        .queueName(name)
                        .attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")))
            .queueUrl();
  }

  @AfterEach
  void closeClient() {
    client.close();
  }

  @Test
  void keepsQueuesAndMessagesOverAKill() {
    send("one");
    send("two");
    int port = server.port();

    server.kill();
    assertThat(server.isRunning()).isFalse();
    server.start();

    assertThat(server.port()).isEqualTo(port);
    assertThat(receive()).extracting(Message::body).containsExactly("one", "two");
  }

  @Test
  void restartsInOrder() {
    send("one");
    server.restart();
    assertThat(receive()).extracting(Message::body).containsExactly("one");
  }

  @Test
  void answersNothingWhileItIsFrozen() throws Exception {
    server.freeze();
    CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send("one"));
    try {
      assertThatThrownBy(() -> sent.get(500, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThat(server.isRunning()).isTrue();
    } finally {
      server.thaw();
    }
    await().atMost(SOON).until(() -> !receive().isEmpty());
  }

  @Test
  void queueUrlsLeadThroughAProxy() {
    try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
        SqsClient proxied =
            server.clientBuilder(URI.create("http://127.0.0.1:" + proxy.port())).build()) {
      String name = queue.substring(queue.lastIndexOf('/') + 1);
      String url = proxied.getQueueUrl(get -> get.queueName(name)).queueUrl();
      assertThat(url).contains(":" + proxy.port() + "/");
      proxied.sendMessage(
          send ->
              send.queueUrl(url)
                  .messageBody("one")
                  .messageGroupId("group")
                  .messageDeduplicationId("one"));
    }
    assertThat(receive()).extracting(Message::body).containsExactly("one");
  }

  @Test
  void readsTheEndpointThatTheEnvironmentNames() {
    SqsServer own =
        OwnServers.sqs(
            Map.of(
                OwnServers.SQS_ENDPOINT,
                "https://sqs.eu-central-1.amazonaws.com",
                OwnServers.AWS_REGION,
                "eu-central-1"));
    assertThat(own.canRestart()).isFalse();
    assertThat(own.port()).isEqualTo(443);
    assertThat(own.region()).isEqualTo("eu-central-1");
    for (String wrong : List.of("", "sqs", "https://me:s3cr3t@sqs.example", "ftp://sqs.example")) {
      assertThatThrownBy(() -> OwnServers.sqs(Map.of(OwnServers.SQS_ENDPOINT, wrong)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("http://HOST:PORT")
          .hasMessageNotContaining("s3cr3t");
    }
  }

  private void send(String body) {
    client.sendMessage(
        send ->
            send.queueUrl(queue)
                .messageBody(body)
                .messageGroupId("group")
                .messageDeduplicationId(body));
  }

  private List<Message> receive() {
    return client
        .receiveMessage(
            receive -> receive.queueUrl(queue).maxNumberOfMessages(10).waitTimeSeconds(5))
        .messages();
  }
}
