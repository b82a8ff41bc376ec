package dev.acklast.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * One worker's diary: lines {@code millis worker event key message-id details}. Each is written to
 * the file at once, without a buffer of this process, so it outlives a kill. Thread-safe.
 */
final class Journal {
  /** The handler begins; only written for messages whose runs are counted. */
  static final String RUN = "run";

  /** The handler ends this JVM. */
  static final String HALT = "halt";

  /** A delivery; and what may follow from a failed run. */
  static final String RECEIVED = "received";

  static final String RETRIED = "retried";
  static final String BURIED = "dead-lettered";

  /** What journals' names end with. */
  static final String SUFFIX = ".journal";

  private final OutputStream out;
  private final String worker;

  Journal(Path file, String worker) throws IOException {
    this.out = new FileOutputStream(file.toFile(), true);
    this.worker = worker;
  }

  void write(String event, String key, String messageId, String details) {
    String line =
        "%d %s %s %s %s %s\n"
            .formatted(System.currentTimeMillis(), worker, event, key, messageId, details);
    try {
      out.write(line.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
