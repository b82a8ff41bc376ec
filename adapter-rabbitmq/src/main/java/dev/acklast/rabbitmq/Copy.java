package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.acklast.spi.SettleResult;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One copy on its way. Answered once; whatever comes later is ignored. Thread-safe. */
final class Copy {
  private final Outlet outlet;
  private final BasicProperties properties;
  private final byte[] body;
  private final CompletableFuture<SettleResult> answer = new CompletableFuture<>();
  private final Executor teller;

  /**
   * A copy.
   *
   * @param teller where the answer is told: core goes on from there, and must not hold up the
   *     client
   */
  Copy(Outlet outlet, BasicProperties properties, byte[] body, Executor teller) {
    this.outlet = outlet;
    this.properties = properties;
    this.body = body;
    this.teller = teller;
  }

  /** DONE when a queue has it and the broker has said so, else FAILED. */
  CompletableFuture<SettleResult> answer() {
    return answer;
  }

  /** Whether it was answered, be it only because its time is over. */
  boolean isOver() {
    return answer.isDone();
  }

  /** Makes sure that there is something to be sent to; blocks for the broker's answers. */
  void prepare(Connection connection) {
    outlet.ready(connection);
  }

  void sendOn(Channel channel) throws IOException {
    outlet.send(channel, properties, body);
  }

  /**
   * What became of it.
   *
   * @param failure null if a queue has it; else why it is not there, or why nobody can tell
   */
  void answered(@Nullable String failure, @Nullable Throwable cause) {
    if (failure == null) {
      outlet.worked();
      teller.execute(() -> answer.complete(SettleResult.done()));
    } else if (!isOver()) {
      String sentence = "a copy did not reach " + outlet.description() + ": " + failure;
      outlet.failed(sentence);
      teller.execute(() -> answer.complete(SettleResult.failed(sentence, cause)));
    }
  }

  void expired() {
    answered("RabbitMQ did not confirm it in time; it may still arrive", null);
  }

  /** Nobody tells any more. */
  void closed() {
    answer.complete(SettleResult.failed("the subscription is closed", null));
  }
}
