package dev.acklast.runner;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the log to the terminal, unless the user configures Logback himself. */
final class Logging {
  private static final String OWN_CONFIGURATION = "logback.configurationFile";
  private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n%ex";

  private Logging() {}

  static void configure(Level level, Terminal terminal) {
    if (System.getProperty(OWN_CONFIGURATION) != null
        || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return;
    }
    context.reset();
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(PATTERN);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.start();
    var appender = new TerminalAppender(encoder, terminal);
    appender.setContext(context);
    appender.start();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.WARN);
    context.getLogger("dev.acklast").setLevel(level);
    if (Level.DEBUG.isGreaterOrEqual(level)) {
      root.setLevel(Level.INFO);
    }
  }

  private static final class TerminalAppender extends AppenderBase<ILoggingEvent> {
    private final PatternLayoutEncoder encoder;
    private final Terminal terminal;

    TerminalAppender(PatternLayoutEncoder encoder, Terminal terminal) {
      this.encoder = encoder;
      this.terminal = terminal;
    }

    @Override
    protected void append(ILoggingEvent event) {
      terminal.print(new String(encoder.encode(event), StandardCharsets.UTF_8));
    }
  }
}
