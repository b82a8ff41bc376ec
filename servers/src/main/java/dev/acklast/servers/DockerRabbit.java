package dev.acklast.servers;

import java.util.List;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.rabbitmq.RabbitMQContainer;

/** RabbitMQ as a container. */
final class DockerRabbit {
  private static final String IMAGE = "rabbitmq:4.0.5-management";
  private static final int AMQP = 5672;
  private static final int MANAGEMENT = 15672;

  private DockerRabbit() {}

  /** A new, empty broker; not started yet. */
  static RabbitServer create(RabbitOptions options) {
    int port = FreePort.next();
    int managementPort = FreePort.next();
    String user = "acklast";
    String password = Passwords.random();
    StringBuilder configuration = new StringBuilder();
    RabbitNode.settings(options)
        .forEach((key, value) -> configuration.append(key + " = " + value + "\n"));
    RabbitMQContainer container =
        new RabbitMQContainer(IMAGE)
            .withAdminUser(user)
            .withAdminPassword(password)
            .withEnv("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-rabbit channel_tick_interval 1000")
            .withCopyToContainer(
                Transferable.of(configuration.toString()), "/etc/rabbitmq/conf.d/20-acklast.conf");
    container.setPortBindings(
        List.of(
            DockerEngine.binding(port, AMQP), DockerEngine.binding(managementPort, MANAGEMENT)));
    return new RabbitServer(
        new DockerEngine(container, "RabbitMQ, container " + IMAGE + " on 127.0.0.1:" + port),
        new RabbitEndpoint("amqp", "127.0.0.1", port, user, password, "/"),
        new ManagementApi("http://127.0.0.1:" + managementPort, user, password));
  }
}
