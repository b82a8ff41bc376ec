package dev.acklast.it;

import dev.acklast.rabbitmq.RabbitSource;
import dev.acklast.spi.Source;
import dev.acklast.testkit.contract.SourceOpener;

/** Opens a RabbitMQ queue in a child JVM. */
final class RabbitOpener implements SourceOpener {
  @Override
  public Source open(String uri, String queue) {
    return RabbitSource.queue(uri, queue);
  }
}
