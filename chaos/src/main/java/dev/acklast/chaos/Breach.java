package dev.acklast.chaos;

/** What an audit can find. A closed set. */
enum Breach {
  /** A confirmed publish is neither an effect nor a dead letter. */
  LOST,
  /** A key has more than one effect. */
  DOUBLED,
  /** A claim whose effect is missing. */
  CLAIM_WITHOUT_EFFECT,
  /** An effect whose claim is missing. */
  EFFECT_WITHOUT_CLAIM,
  /** Claim and effect were committed by two transactions. */
  CLAIM_APART,
  /** An effect that is not what its message asked for. */
  EFFECT_ALTERED,
  /** An account's balance is not the sum of its effects. */
  BALANCE,
  /** An effect of a message that nobody published, or that was to die. */
  UNEXPECTED_EFFECT,
  /** A dead letter of a message that nobody published, or that was to be applied. */
  UNEXPECTED_LETTER,
  /** Two deaths, with two ids, of one message. */
  TWO_DEATHS,
  /** A dead letter with another body than was published, or without its report. */
  LETTER_ALTERED,
  /** A dead letter for another reason than planned. */
  WRONG_REASON,
  /** A dead letter after more or fewer attempts than planned. */
  WRONG_ATTEMPTS,
  /** Attempts were counted that were no runs. */
  ATTEMPTS_WITHOUT_RUNS,
  /** A message has killed more processes than it may. */
  TOO_MANY_DEATHS,
  /** The ledger says that a message is dead, and its letter is nowhere. */
  DEATH_WITHOUT_LETTER,
  /** The ledger still counts the attempts of a message that has ended. */
  LEDGER_LEFT,
  /** Messages are left in the source. */
  SOURCE_LEFT,
  /** Messages are left in the queues for delays. */
  DELAYED_LEFT,
  /** It took too long until everything was done. */
  NOT_DRAINED,
  /** A consumer did not end in order, or logged a fault of Acklast's own. */
  CONSUMER_FAULT;

  /** Whether something waits that should have ended. */
  boolean isStuck() {
    return this == LEDGER_LEFT
        || this == SOURCE_LEFT
        || this == DELAYED_LEFT
        || this == NOT_DRAINED;
  }
}
