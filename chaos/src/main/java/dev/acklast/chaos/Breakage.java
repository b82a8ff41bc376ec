package dev.acklast.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.acklast.spi.Source;
import dev.acklast.spi.Transactions;
import dev.acklast.testkit.flaw.Flaw;
import java.util.Locale;

/**
 * Ways to break Acklast on purpose, from outside: the audit must find each. {@link #NONE} leaves it
 * whole.
 */
enum Breakage {
  NONE,
  /** The broker hears the ack as soon as a message arrives. */
  ACK_BEFORE_COMMIT,
  /** The claim is committed in a transaction of its own, before the effect. */
  CLAIM_APART,
  /** A settle of a lost connection is made up for on the next one, and hits another message. */
  LATE_SETTLE_APPLIED,
  /** A dead letter counts as safe before the broker has confirmed it. */
  DEAD_LETTER_NOT_CONFIRMED,
  /** Each redelivery counts as an attempt. */
  DELIVERIES_COUNTED,
  /** A retry is reported, and never made. */
  RETRY_FORGOTTEN,
  /** Each copy of a dead letter has an id of its own. */
  DEATHS_RENAMED,
  /** An ack is reported, and never sent. */
  ACK_NEVER_SENT;

  /** A source with this breakage. */
  Source in(Source sound, HikariDataSource database) {
    return switch (this) {
      case NONE, CLAIM_APART -> sound;
      case ACK_BEFORE_COMMIT -> Flaw.ACKS_BEFORE_COMMIT.in(sound);
      case LATE_SETTLE_APPLIED -> LateSettles.in(sound);
      case DEAD_LETTER_NOT_CONFIRMED -> Flaw.DEAD_LETTER_NOT_CONFIRMED.in(sound);
      case DELIVERIES_COUNTED -> CountedDeliveries.in(sound, database);
      case RETRY_FORGOTTEN -> Flaw.RETRY_DOES_NOTHING.in(sound);
      case DEATHS_RENAMED -> Flaw.DEAD_LETTER_WITH_NEW_ID.in(sound);
      case ACK_NEVER_SENT -> Flaw.ACK_NEVER_SENT.in(sound);
    };
  }

  /** Transactions with this breakage. */
  Transactions in(Transactions sound, HikariDataSource database) {
    return this == CLAIM_APART ? new ClaimApart(sound, database) : sound;
  }

  /** What the command line calls it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The breakage of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Breakage of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
