package dev.acklast.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;

/** One copy to be published: where to, and what. */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy of each body would cost
record Copy(Target target, BasicProperties properties, byte[] body) {}
