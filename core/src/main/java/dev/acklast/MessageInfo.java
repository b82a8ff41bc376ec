package dev.acklast;

import dev.acklast.spi.Envelope;
import org.jspecify.annotations.Nullable;

/** What listeners learn of the message that an event is about. Valid during the call. */
public interface MessageInfo {
  /** The consumer's name. */
  String consumer();

  /** The scope of its claims. */
  String scope();

  /** The message as received. */
  Envelope envelope();

  /** The business key; null until it has been read, and for messages that have none. */
  @Nullable String key();

  /** Nanoseconds since core was given the message. */
  long ageNanos();
}
