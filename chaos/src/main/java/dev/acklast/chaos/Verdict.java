package dev.acklast.chaos;

/**
 * The figures of a run.
 *
 * @param published publishes that the broker has confirmed
 * @param applied keys with an effect
 * @param duplicates confirmed publishes beyond each key's first
 * @param deadLettered keys with a dead letter
 * @param lost keys that were confirmed, and have neither
 * @param doubled effects beyond a key's first
 * @param stuck what waits that should have ended
 * @param faults injected
 * @param breaches all of them, the lost, doubled and stuck included
 */
record Verdict(
    long published,
    long applied,
    long duplicates,
    long deadLettered,
    long lost,
    long doubled,
    long stuck,
    int faults,
    int breaches) {

  boolean passes() {
    return breaches == 0;
  }

  /** The one last line. */
  String line() {
    String figures =
        "published=%d applied=%d duplicates=%d dead-lettered=%d lost=%d doubled=%d stuck=%d faults=%d"
            .formatted(published, applied, duplicates, deadLettered, lost, doubled, stuck, faults);
    return passes()
        ? "verdict: PASS " + figures
        : "verdict: FAIL " + figures + " breaches=" + breaches;
  }
}
