package dev.acklast.testkit.contract;

/** What a broker, or the harness around it, may be unable to do; cases that need it are skipped. */
public enum Ability {
  /** The broker can be restarted by the harness. */
  RESTART,
  /** The broker can be stopped for a while. */
  STOP,
  /** The connections of consumers can be cut. */
  CUT,
  /** The broker can be frozen: connections stay open and nothing is answered. */
  FREEZE,
  /** The network can be made half-open or slow. */
  NETWORK,
  /** Retries are delayed by the broker. */
  NATIVE_RETRY,
  /** What waits for a retry is kept outside of the source, which may be missing meanwhile. */
  RETRIES_OFF_SOURCE,
  /** One consumer at a time has all messages of an ordering key. */
  ORDERED,
  /** Messages have an id that names them to people. */
  MESSAGE_ID,
  /** Messages carry an ordering key. */
  ORDERING_KEY,
  /** A released message stands where it stood. */
  ORDER_ON_RELEASE,
  /** A body of no bytes can be published. */
  EMPTY_BODY,
  /** Bodies may hold any bytes. */
  BINARY_BODY,
  /** Header values may be numbers and truth values. */
  TYPED_HEADERS,
  /** The queue can be deleted and created while consumers run. */
  DELETE_QUEUE,
  /** The source queue can be made full. */
  FILL_SOURCE,
  /** Deliveries are lent for a time that the harness makes short enough to see it end. */
  SHORT_LEASE,
  /** The dead-letter queue can be missing. */
  MISSING_DEAD_LETTER,
  /** The dead-letter queue can be full. */
  FULL_DEAD_LETTER,
  /** The dead-letter queue can refuse. */
  REFUSING_DEAD_LETTER,
  /** The dead-letter queue can fall silent. */
  UNREACHABLE_DEAD_LETTER,
  /** Messages outlast this process, so that consumers in other processes can have them. */
  OUTLIVES_PROCESS
}
