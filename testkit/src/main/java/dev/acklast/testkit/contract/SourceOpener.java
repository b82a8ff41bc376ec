package dev.acklast.testkit.contract;

import dev.acklast.spi.Source;

/**
 * Makes a source in a JVM of its own; its implementations have a constructor without parameters.
 */
@FunctionalInterface
public interface SourceOpener {
  /**
   * Describes the source.
   *
   * @param uri where the broker is; may hold credentials, so it is not to be logged
   * @param queue the queue's or topic's name
   */
  Source open(String uri, String queue);
}
