/**
 * RabbitMQ as a source of an Acklast consumer: {@link dev.acklast.rabbitmq.RabbitSource} is all
 * that users touch. What this adapter creates on the broker and what it leaves alone is written
 * down in {@code docs/adapters/rabbitmq.md}.
 */
@NullMarked
package dev.acklast.rabbitmq;

import org.jspecify.annotations.NullMarked;
