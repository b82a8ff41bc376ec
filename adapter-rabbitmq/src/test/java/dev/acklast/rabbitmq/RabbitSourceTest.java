package dev.acklast.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.spi.Capabilities;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitSourceTest {
  private final RabbitSource source = RabbitSource.queue(new ConnectionFactory(), "sales");

  @Test
  void namesQueuesAndNothingElse() {
    RabbitSource two = RabbitSource.queues("amqp://bob:s3cret@broker:5672/shop", List.of("a", "b"));
    assertThat(two.name()).isEqualTo("rabbitmq:a,b");
    assertThat(two.toString()).doesNotContain("s3cret");
    assertThat(two.system()).isEqualTo("rabbitmq");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://bob:s3cret@broker/",
        "amqp://bob:s3cret@bro ker",
        "bob:s3cret",
        "//bob:s3cret@broker/shop",
        "broker/shop",
        "",
        "amqp://bob:s3cret@h/a/b"
      })
  void unreadableUriIsRefusedWithoutRepeatingIt(String uri) {
    assertThatThrownBy(() -> RabbitSource.queue(uri, "sales"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("amqp://user:password@host:5672/vhost")
        .satisfies(
            e -> {
              StringWriter trace = new StringWriter();
              e.printStackTrace(new PrintWriter(trace));
              assertThat(trace.toString()).doesNotContain("s3cret");
            });
  }

  @Test
  void optionsGiveNewValuesAndLeaveTheOldOneAlone() {
    assertThat(source.topologyNone().exclusive().capabilities())
        .isEqualTo(new Capabilities(false, Capabilities.Order.ON_REQUEST));
    assertThat(source.singleActiveConsumer().capabilities().order())
        .isEqualTo(Capabilities.Order.ON_REQUEST);
    assertThat(source.capabilities()).isEqualTo(new Capabilities(true, Capabilities.Order.NONE));
  }

  @Test
  void contradictionsAndEmptyNamesAreRefused() {
    assertThatThrownBy(() -> source.exclusive().singleActiveConsumer())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Choose one");
    assertThatThrownBy(() -> source.consumerTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RabbitSource.queue(new ConnectionFactory(), " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RabbitSource.queues(new ConnectionFactory(), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RabbitSource.queues(new ConnectionFactory(), List.of("a", "a")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                RabbitSource.queue(new ConnectionFactory(), "q".repeat(250))
                    .subscribe(Rig.settings(1), new RecordingSink()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too long");
  }
}
