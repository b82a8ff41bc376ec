package dev.acklast.testkit.handler;

import org.jspecify.annotations.Nullable;

/** The tester has found something: what was seen, and what to do. */
final class Fault extends Exception {
  private static final long serialVersionUID = 1L;

  Fault(String seen, String advice) {
    this(seen, advice, null);
  }

  Fault(String seen, String advice, @Nullable Throwable cause) {
    super("Seen: " + seen + System.lineSeparator() + "To do: " + advice, cause);
  }
}
