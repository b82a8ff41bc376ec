package dev.acklast.runner;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.acklast.rabbitmq.RabbitSource;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Queues of RabbitMQ. */
final class RabbitKind implements SourceKind {
  private static final int CONNECT_MILLIS = 10_000;

  @Override
  public Configured read(Value value, @Nullable Value deadLetter) {
    Section section = value.section(Block.RABBITMQ);
    Value uri = section.require("uri");
    List<String> queues = QueueNames.of(section);
    String address = uri.text();
    if (!address.startsWith("amqp://") && !address.startsWith("amqps://")) {
      throw uri.error("must look like amqp://user:password@host:5672/vhost or amqps://…");
    }
    RabbitSource source = uri.parse(queues, names -> RabbitSource.queues(address, names));
    source = options(section, source);
    if (deadLetter != null) {
      Section target = deadLetter.section(Block.DEAD_LETTER);
      String routingKey = target.require("routing-key").text();
      Value exchange = target.require("exchange");
      RabbitSource before = source;
      source = exchange.parse(exchange.text(), name -> before.deadLetterExchange(name, routingKey));
    }
    return new Configured(source, () -> findings(address, queues));
  }

  private static RabbitSource options(Section section, RabbitSource source) {
    RabbitSource result = QueueNames.withoutTopology(section) ? source.topologyNone() : source;
    result = section.isOn("exclusive") ? result.exclusive() : result;
    result = section.isOn("single-active-consumer") ? result.singleActiveConsumer() : result;
    Value timeout = section.find("consumer-timeout");
    if (timeout != null) {
      Duration stated = timeout.duration();
      result = timeout.parse(stated, result::consumerTimeout);
    }
    Value management = section.find("management");
    return management == null ? result : management.parse(uri(management), result::management);
  }

  private static URI uri(Value value) {
    try {
      return URI.create(value.text());
    } catch (IllegalArgumentException e) {
      // Its text quotes the address, which may hold a password.
      throw value.error("must look like http://localhost:15672 or https://…");
    }
  }

  private static List<String> findings(String address, List<String> queues) {
    List<String> findings = new ArrayList<>();
    try (Connection connection = factory(address).newConnection("acklast check")) {
      for (String queue : queues) {
        Channel channel = connection.createChannel();
        try {
          channel.queueDeclarePassive(queue);
          channel.close();
        } catch (IOException e) {
          findings.add("the queue " + queue + " cannot be used: " + reason(e));
        }
      }
    } catch (IOException | TimeoutException e) {
      findings.add("the broker cannot be reached: " + reason(e));
    }
    return findings;
  }

  /** The broker's answer names queue and virtual host; the client's own texts name no password. */
  private static String reason(Exception failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private static ConnectionFactory factory(String address) throws IOException {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(address);
      if (factory.isSSL()) {
        factory.useSslProtocol(SSLContext.getDefault());
        factory.enableHostnameVerification();
      }
    } catch (URISyntaxException | GeneralSecurityException e) {
      throw new IOException("the address cannot be used");
    }
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout(CONNECT_MILLIS);
    return factory;
  }
}
