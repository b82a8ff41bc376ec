/**
 * Apache Kafka as a source of an Acklast consumer. What this adapter creates on the broker and what
 * it leaves alone is written down in {@code docs/adapters/kafka.md}.
 */
@NullMarked
package dev.acklast.kafka;

import org.jspecify.annotations.NullMarked;
