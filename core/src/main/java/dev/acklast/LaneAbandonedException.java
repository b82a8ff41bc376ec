package dev.acklast;

/** The lane that meets it has lost its messages to another lane, and must touch none of them. */
final class LaneAbandonedException extends Exception {
  private static final long serialVersionUID = 1L;

  LaneAbandonedException() {
    super("this lane was given up because its handler did not return in time", null, false, false);
  }
}
