package dev.acklast.testkit.contract;

/** What a case asks of the network between consumers and broker. */
public enum NetworkState {
  /** As usual. */
  GOOD,
  /** Bytes are late: some tens of milliseconds in each direction. */
  SLOW,
  /** Connections stay open and carry nothing. */
  HALF_OPEN
}
