package dev.acklast.it;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.acklast.ConsumerBuilder;
import dev.acklast.IdempotentConsumer;
import dev.acklast.rabbitmq.RabbitSource;
import dev.acklast.servers.Servers;
import dev.acklast.servers.VirtualHost;
import dev.acklast.spi.Envelope;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer that is stopped in the middle of work, again and again, on a real broker. */
@Tag("broker")
class StopUnderLoadTest {
  private static final int STOPS = 25;
  private static final int BACKLOG = 200;

  @RegisterExtension private final Stage stage = new Stage();

  /** An ack that raced with the giving back of the rest would be of an unknown delivery tag. */
  @ParameterizedTest
  @ValueSource(strings = {"classic", "quorum"})
  @Tag("E12")
  void settlesNothingTwiceOrTooLate(String type) {
    try (VirtualHost host = Servers.sharedRabbit().virtualHost(Servers.uniqueName("stops"));
        Logs client = new Logs("com.rabbitmq", Level.WARN)) {
      RabbitAdmin admin = new RabbitAdmin(host);
      admin.declare(Stage.QUEUE, type);
      DataSource pool = stage.database.pool();
      for (int stop = 0; stop < STOPS; stop++) {
        admin.publish(Stage.QUEUE, orders(stop));
        int before = stage.heard.all("settled");
        IdempotentConsumer consumer = stage.start(consumer(host, pool));
        Stage.await("work").until(() -> stage.heard.all("settled") >= before + BACKLOG / 5);
        consumer.close();
      }
      stage.start(consumer(host, pool));
      stage.awaitEffects(STOPS * BACKLOG);
      Stage.await("an empty queue").until(() -> host.queue(Stage.QUEUE).total() == 0);
      assertThat(client.lines()).isEmpty();
    }
    assertThat(stage.database.distinctEffects()).isEqualTo(STOPS * BACKLOG);
    assertThat(stage.database.effects()).isEqualTo(STOPS * BACKLOG);
    assertThat(stage.heard.all("released")).as("given back by stops").isPositive();
    assertThat(stage.heard.all("late")).isZero();
    assertThat(stage.logs.lines()).noneMatch(line -> line.contains("PRECONDITION_FAILED"));
  }

  private ConsumerBuilder<?> consumer(VirtualHost host, DataSource pool) {
    return stage
        .consumer()
        .source(RabbitSource.queue(host.amqpUri(), Stage.QUEUE))
        .database(pool)
        .prefetch(50)
        .apply(Stage.inserting());
  }

  private static List<Envelope> orders(int stop) {
    return IntStream.range(0, BACKLOG).mapToObj(i -> Stage.order(stop + "-" + i)).toList();
  }
}
