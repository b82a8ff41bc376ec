package dev.acklast.chaos;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** How much is logged. */
final class LogLevel {
  private LogLevel() {}

  /** Of Acklast, and of the libraries beneath it. */
  static void set(Level acklast, Level others) {
    set(Logger.ROOT_LOGGER_NAME, others);
    set("dev.acklast", acklast);
  }

  private static void set(String name, Level level) {
    if (LoggerFactory.getLogger(name) instanceof Logger logger) {
      logger.setLevel(level);
    }
  }
}
