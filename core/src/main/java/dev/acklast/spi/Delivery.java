package dev.acklast.spi;

import java.util.Objects;

/**
 * One message handed over once: what it is, and the handle that settles it.
 *
 * @param envelope the message
 * @param acker settles this delivery and no other
 */
public record Delivery(Envelope envelope, Acker acker) {
  public Delivery {
    Objects.requireNonNull(envelope, "envelope");
    Objects.requireNonNull(acker, "acker");
  }
}
