package dev.acklast.testkit.contract;

/** What a case asks to be wrong with a dead-letter queue. */
public enum DeadLetterFault {
  /** It does not exist. */
  MISSING(Ability.MISSING_DEAD_LETTER),
  /** It takes no more. */
  FULL(Ability.FULL_DEAD_LETTER),
  /** It refuses, for lack of permission say. */
  REFUSING(Ability.REFUSING_DEAD_LETTER),
  /** Nothing is answered. */
  UNREACHABLE(Ability.UNREACHABLE_DEAD_LETTER);

  private final Ability needed;

  DeadLetterFault(Ability needed) {
    this.needed = needed;
  }

  Ability needed() {
    return needed;
  }
}
