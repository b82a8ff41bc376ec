package dev.acklast.servers;

import java.util.List;

/** A {@link ServerEngine} of RabbitMQ, which has a command line tool of its own. */
interface BrokerEngine extends ServerEngine {

  /**
   * Runs {@code rabbitmqctl} against this node.
   *
   * @return what it printed
   * @throws IllegalStateException if it fails; the message has its output
   */
  String rabbitmqctl(List<String> arguments);
}
