package dev.acklast.chaos;

/**
 * What the broker still has.
 *
 * @param ready messages that wait in the source
 * @param unsettled messages of the source that a consumer has
 * @param delayed messages that wait for a retry
 */
record Residue(long ready, long unsettled, long delayed) {
  /** All of them. */
  long total() {
    return ready + unsettled + delayed;
  }
}
