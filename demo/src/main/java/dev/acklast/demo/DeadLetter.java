package dev.acklast.demo;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A message in a dead-letter queue.
 *
 * @param saleId as the shop wrote it into the header; null if the header is gone
 * @param messageId the shop's
 * @param body as it lies there
 */
record DeadLetter(@Nullable String saleId, @Nullable String messageId, byte[] body) {

  /** All that lie in a queue; they stay there. */
  static List<DeadLetter> readAll(ConnectionFactory broker, String queue)
      throws IOException, TimeoutException {
    List<DeadLetter> letters = new ArrayList<>();
    try (Connection connection = broker.newConnection("demo audit")) {
      Channel channel = connection.createChannel();
      // Nothing is acked: all come back when the channel closes.
      GetResponse response = channel.basicGet(queue, false);
      while (response != null) {
        letters.add(of(response));
        response = channel.basicGet(queue, false);
      }
    }
    return letters;
  }

  private static DeadLetter of(GetResponse response) {
    Map<String, Object> headers = response.getProps().getHeaders();
    Object sale = headers == null ? null : headers.get(Publisher.SALE_HEADER);
    return new DeadLetter(
        sale == null ? null : sale.toString(),
        response.getProps().getMessageId(),
        response.getBody());
  }
}
