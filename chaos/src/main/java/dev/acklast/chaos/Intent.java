package dev.acklast.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What a message means: move an amount from one account to another.
 *
 * @param key the business key
 * @param failures runs that are to fail before one succeeds; only for {@link Fate#FLAKY}
 */
record Intent(String key, Fate fate, int failures, int debit, int credit, int amount) {

  /** The message's body; the same for every copy. */
  byte[] body() {
    String time = fate == Fate.STALE ? ",\"at\":\"2001-01-01T00:00:00Z\"" : "";
    String json =
        "{\"id\":\"%s\",\"fate\":\"%s\",\"failures\":%d,\"debit\":%d,\"credit\":%d,\"amount\":%d%s}"
            .formatted(key, fate, failures, debit, credit, amount, time);
    return (fate == Fate.UNDECODABLE ? json.substring(0, json.length() / 2) : json).getBytes(UTF_8);
  }
}
