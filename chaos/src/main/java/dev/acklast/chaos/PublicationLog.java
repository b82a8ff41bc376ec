package dev.acklast.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collection;

/**
 * The producer's record of what became of each publish, written after the broker's answer: a file
 * that only grows, of lines {@code millis outcome key message-id}. For one thread.
 */
final class PublicationLog implements AutoCloseable {
  /** The broker has confirmed it. */
  static final String CONFIRMED = "confirmed";

  /** Nobody knows: it may arrive or not. */
  static final String UNKNOWN = "unknown";

  private final OutputStream out;

  PublicationLog(Path file) throws IOException {
    this.out = new BufferedOutputStream(new FileOutputStream(file.toFile(), true));
  }

  void confirmed(Collection<Message> messages) throws IOException {
    append(CONFIRMED, messages);
  }

  void unknown(Collection<Message> messages) throws IOException {
    append(UNKNOWN, messages);
  }

  private void append(String outcome, Collection<Message> messages) throws IOException {
    long now = System.currentTimeMillis();
    for (Message message : messages) {
      String line = now + " " + outcome + " " + message.key() + " " + message.id() + "\n";
      out.write(line.getBytes(UTF_8));
    }
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
