package dev.acklast.testkit.contract;

/** The steps that a consumer's listeners hear of. */
enum Event {
  RECEIVED,
  CLAIMED,
  DUPLICATE,
  EFFECT_DONE,
  COMMITTED,
  ATTEMPT_FAILED,
  RERUN,
  RETRIED,
  DEAD_LETTERED,
  SKIPPED,
  RELEASED,
  SETTLED,
  SETTLE_FAILED,
  OUTAGE_OPENED,
  OUTAGE_CLOSED
}
