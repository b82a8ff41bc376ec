package dev.acklast;

/** A consumer's load at this moment, for gauges. Thread-safe; each call reads anew. */
public interface ConsumerLoad {
  /** Deliveries handed over by the broker and not settled. */
  int unsettled();

  /** Of these, ready for a lane. */
  int waiting();

  /** Of these, parked until they are due, or behind another message with the same key. */
  int heldBack();

  /** Lanes at work. */
  int busyLanes();
}
