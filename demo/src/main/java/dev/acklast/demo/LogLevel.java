package dev.acklast.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** How much the libraries log. */
final class LogLevel {
  private LogLevel() {}

  static void set(Level level) {
    if (LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(level);
    }
  }
}
