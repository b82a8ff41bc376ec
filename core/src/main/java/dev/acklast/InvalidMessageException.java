package dev.acklast;

/**
 * The message cannot be decoded or has no usable business key; trying again would not help. Thrown
 * by decoders, keys and handlers; the message is dead-lettered at once.
 *
 * <p>The text must name what is wrong and where (a field, an offset), never the payload itself.
 */
public class InvalidMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong, without payload. */
  public InvalidMessageException(String message) {
    super(message);
  }
}
