package dev.acklast.testkit.contract;

import org.jspecify.annotations.Nullable;

/**
 * Ends the JVM at once, as a kill would, when a message reaches a step: no shutdown hook runs, no
 * buffer is flushed. For child JVMs only.
 */
public final class CrashingListener implements StepListener {
  /** The exit code of a JVM that ended this way. */
  public static final int EXIT_CODE = 137;

  private final Event at;
  private final String key;

  /**
   * Chooses the step and the message.
   *
   * @param step one of {@code RECEIVED}, {@code CLAIMED}, {@code EFFECT_DONE}, {@code COMMITTED},
   *     {@code ATTEMPT_FAILED}, {@code RETRIED}, {@code DEAD_LETTERED}, {@code SETTLED} and the
   *     other events of {@link dev.acklast.AcklastListener}
   * @param key the business key; a step before the key is known takes any message
   * @throws IllegalArgumentException if there is no such step
   */
  public CrashingListener(String step, String key) {
    this.at = Event.valueOf(step);
    this.key = key;
  }

  @Override
  public void step(Event event, @Nullable String messageKey) {
    if (event == at && (messageKey == null || messageKey.equals(key))) {
      halt();
    }
  }

  static void halt() {
    Runtime.getRuntime().halt(EXIT_CODE);
  }
}
