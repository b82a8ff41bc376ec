package dev.acklast.rabbitmq;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A queue or exchange that is needed is not there, or is not as needed; the message says what to
 * do.
 */
final class TopologyException extends IOException {
  private static final long serialVersionUID = 1L;

  TopologyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
