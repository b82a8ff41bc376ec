package dev.acklast.sqs;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the user named it. Immutable.
 *
 * @param name the name alone, {@code .fifo} included
 * @param account the owner's account id, where the user gave it
 * @param url the queue's URL, where the user gave one
 */
record QueueName(String name, @Nullable String account, @Nullable String url) {
  static final String FIFO = ".fifo";

  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_-]{1,80}|[A-Za-z0-9_-]{1,75}\\.fifo");
  private static final Pattern ARN = Pattern.compile("arn:[^:]+:sqs:[^:]*:(\\d*):([^:]+)");

  /**
   * Reads a name, a URL or an ARN.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static QueueName of(String given) {
    Matcher arn = ARN.matcher(given);
    if (arn.matches()) {
      return new QueueName(checked(arn.group(2)), arn.group(1), null);
    }
    return given.contains("/") ? ofUrl(given) : new QueueName(checked(given), null, null);
  }

  private static QueueName ofUrl(String given) {
    try {
      URI uri = URI.create(given);
      String path = String.valueOf(uri.getPath()).replaceAll("/+$", "");
      if (uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null) {
        String name = checked(path.substring(path.lastIndexOf('/') + 1));
        return new QueueName(name, null, given.replaceAll("/+$", ""));
      }
    } catch (IllegalArgumentException e) {
      // as any other that is no URL of a queue; its text is not repeated: it may hold a password
    }
    throw new IllegalArgumentException(
        "A queue's URL must look like https://sqs.REGION.amazonaws.com/ACCOUNT/QUEUE");
  }

  private static String checked(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "A queue is named by 1 to 80 letters, digits, - and _, and .fifo at its end if it is one;"
              + " or by its URL or ARN: not by '"
              + name
              + "'");
    }
    return name;
  }

  boolean isFifo() {
    return name.endsWith(FIFO);
  }

  /** The dead-letter queue that is looked for where nobody names one: {@code sales-dlq.fifo}. */
  QueueName deadLetterQueue() {
    String stem = isFifo() ? name.substring(0, name.length() - FIFO.length()) : name;
    return of(stem + "-dlq" + (isFifo() ? FIFO : ""));
  }

  @Override
  public String toString() {
    return name;
  }
}
