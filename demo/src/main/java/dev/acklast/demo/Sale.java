package dev.acklast.demo;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Something sold, for which one commission is due, or none. Immutable.
 *
 * @param id the business key
 * @param sellerId whom the commission belongs to
 * @param amount the commission
 * @param kind what its events look like
 */
record Sale(String id, int sellerId, BigDecimal amount, Kind kind) {
  /** What the events of a sale look like. */
  enum Kind {
    /** A commission is due. */
    GOOD,
    /** Cut off in the middle: it can be put aside only. */
    UNDECODABLE,
    /** Its seller does not exist, so the database refuses the commission each time. */
    FAILING
  }

  /** The event's body. */
  byte[] body() {
    String json =
        "{\"saleId\":\"%s\",\"sellerId\":%d,\"amount\":%s}".formatted(id, sellerId, amount);
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return kind == Kind.UNDECODABLE ? Arrays.copyOf(bytes, bytes.length / 2) : bytes;
  }
}
