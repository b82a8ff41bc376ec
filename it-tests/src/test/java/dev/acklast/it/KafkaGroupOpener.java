package dev.acklast.it;

import dev.acklast.spi.Source;
import dev.acklast.testkit.contract.SourceOpener;

/** Opens a Kafka topic as a member of a consumer group, in a child JVM. */
final class KafkaGroupOpener implements SourceOpener {
  @Override
  public Source open(String uri, String queue) {
    return KafkaHarness.open(uri, queue, false);
  }
}
