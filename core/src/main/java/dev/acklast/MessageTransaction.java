package dev.acklast;

import dev.acklast.spi.Envelope;

/** The transaction, and the message that it is for. */
public interface MessageTransaction extends EffectTransaction {
  /** The message as received. */
  Envelope envelope();

  /** The business key. */
  String key();

  /** Which run of the handler this is; 1 for the first. A hint: a crash may have hidden a run. */
  int attempt();

  /**
   * A stable text to send along with calls that leave the system, which no local claim can protect:
   * a digest of scope, key and effect version, the same on every attempt and for every copy. ASCII
   * letters and digits, at most 64 characters.
   */
  String idempotencyKey();
}
