package dev.acklast.spi;

/**
 * The configuration cannot keep its promise on the broker or database as found. The message names
 * the setting and says what to do.
 */
public class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what is refused, and what to do. */
  public RefusedException(String message) {
    super(message);
  }
}
