package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;

/** One copy to be published: where to, and what. */
record Copy(Target target, BasicProperties properties, byte[] body) {}
