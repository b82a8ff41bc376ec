package dev.acklast.chaos;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import dev.acklast.spi.DeathReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads dead letters. */
final class RabbitLetters {
  private RabbitLetters() {}

  /** All that are ready; nothing is acked, so that they come back when the channel closes. */
  static List<Letter> look(Channel channel, String queue) throws IOException {
    List<Letter> letters = new ArrayList<>();
    GetResponse next = channel.basicGet(queue, false);
    while (next != null) {
      letters.add(letter(next));
      next = channel.basicGet(queue, false);
    }
    return letters;
  }

  private static Letter letter(GetResponse response) throws IOException {
    Map<String, Object> headers = response.getProps().getHeaders();
    return new Letter(
        text(headers, Letter.KEY_HEADER),
        text(headers, Letter.ID_HEADER),
        response.getBody(),
        Letter.Death.parse(text(headers, DeathReport.HEADER)));
  }

  private static @Nullable String text(@Nullable Map<String, Object> headers, String name) {
    Object value = headers == null ? null : headers.get(name);
    return value == null ? null : value.toString();
  }
}
