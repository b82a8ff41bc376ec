package dev.acklast.it;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** All that is logged at one level and above while it is open, with stacks. Thread-safe. */
final class Logs implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level before;
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          String stack =
              event.getThrowableProxy() == null
                  ? ""
                  : "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy());
          lines.add(event.getLevel() + " " + event.getFormattedMessage() + stack);
        }
      };

  /** Hears Acklast. */
  Logs() {
    this("dev.acklast", Level.INFO);
  }

  Logs(String name, Level level) {
    logger = (Logger) LoggerFactory.getLogger(name);
    before = logger.getLevel();
    logger.setLevel(level);
    logger.setAdditive(false);
    appender.setContext(logger.getLoggerContext());
    appender.start();
    logger.addAppender(appender);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setLevel(before);
    logger.setAdditive(true);
  }
}
