/** Apache Kafka as a source of an Acklast consumer. */
@SuppressWarnings("requires-automatic") // kafka-clients has no module-info
module dev.acklast.kafka {
  exports dev.acklast.kafka;

  requires transitive dev.acklast.core;
  requires kafka.clients;
  requires org.slf4j;
}
