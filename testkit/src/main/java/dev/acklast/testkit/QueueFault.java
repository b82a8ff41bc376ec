package dev.acklast.testkit;

/** What is wrong with a queue in memory. */
public enum QueueFault {
  /** Nothing. */
  NONE,
  /** It takes no more: publishes are rejected, and messages whose delay has ended wait. */
  FULL,
  /** It refuses every publish, for lack of permission say. */
  REFUSING,
  /** Publishes reach it and are never confirmed. */
  UNREACHABLE
}
