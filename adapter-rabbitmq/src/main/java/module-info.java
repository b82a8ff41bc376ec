/** RabbitMQ as a source of an Acklast consumer. */
@SuppressWarnings("requires-transitive-automatic") // amqp-client has a name, but no module-info
module dev.acklast.rabbitmq {
  exports dev.acklast.rabbitmq;

  requires transitive dev.acklast.core;
  requires transitive com.rabbitmq.client;
  requires org.slf4j;
}
