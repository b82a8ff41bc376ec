package dev.acklast.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** The shop's side of SQS. */
record SqsOutlet(SqsClient client, List<String> queueUrls) implements Broker.Outlet {
  private static final int MOST = 10;

  @Override
  public int most() {
    return MOST;
  }

  @Override
  public void publish(List<SaleEvent> events) throws IOException {
    List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
    for (SaleEvent event : events) {
      entries.add(entry(entries.size(), event));
    }
    for (String url : queueUrls) {
      SendMessageBatchResponse response =
          client.sendMessageBatch(request -> request.queueUrl(url).entries(entries));
      if (response.hasFailed() && !response.failed().isEmpty()) {
        throw new IOException("SQS refused " + response.failed().size() + " messages");
      }
    }
  }

  private static SendMessageBatchRequestEntry entry(int number, SaleEvent event) {
    return SendMessageBatchRequestEntry.builder()
        .id("e" + number)
        .messageBody(new String(event.sale().body(), StandardCharsets.UTF_8))
        .messageAttributes(Map.of(Publisher.SALE_HEADER, text(event.sale().id())))
        .build();
  }

  private static MessageAttributeValue text(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  @Override
  public void close() {
    // The client belongs to the broker.
  }
}
