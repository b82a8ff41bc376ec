package dev.acklast.spi;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an adapter has read from the broker, for the check at start. Null means that the broker does
 * not tell.
 *
 * @param lease how long the broker leaves one delivery with us, all extensions included; positive
 * @param deliveryLimit after how many deliveries the broker itself removes a message; at least 1
 * @param spareDeliveries how many deliveries beyond {@code max-attempts} that limit must leave room
 *     for: {@link #DEATHS_UNBLAMED}, and those that the broker may count although we never see them
 * @param retention how long the source keeps a message; positive
 * @param longestPark how long the adapter lets a delivery wait in memory for its retry; positive,
 *     null for as long as the lease allows
 * @param marksLastDelivery whether {@link Envelope#isLastDelivery()} tells of the last delivery
 *     within the limit, so that none is removed without a dead letter
 * @param warnings what a user should know but need not change at once; each a sentence that says
 *     what to do
 */
public record Facts(
    @Nullable Duration lease,
    @Nullable Integer deliveryLimit,
    int spareDeliveries,
    @Nullable Duration retention,
    @Nullable Duration longestPark,
    boolean marksLastDelivery,
    List<String> warnings) {
  /** A process may die twice before its death is blamed on a message. */
  public static final int DEATHS_UNBLAMED = 2;

  public Facts {
    warnings = List.copyOf(warnings);
  }

  /** Of a broker that bounds no park and whose adapter does not mark the last delivery. */
  public Facts(
      @Nullable Duration lease,
      @Nullable Integer deliveryLimit,
      @Nullable Duration retention,
      List<String> warnings) {
    this(lease, deliveryLimit, DEATHS_UNBLAMED, retention, null, false, warnings);
  }

  /** The same of an adapter that marks the last delivery. */
  public Facts markingLastDelivery() {
    return new Facts(lease, deliveryLimit, spareDeliveries, retention, longestPark, true, warnings);
  }

  /** The same of an adapter that lets deliveries wait in memory no longer than this. */
  public Facts parkingAtMost(Duration longest) {
    return new Facts(
        lease, deliveryLimit, spareDeliveries, retention, longest, marksLastDelivery, warnings);
  }

  /** The same of a broker whose limit must leave room for so many more deliveries. */
  public Facts sparing(int deliveries) {
    return new Facts(
        lease, deliveryLimit, deliveries, retention, longestPark, marksLastDelivery, warnings);
  }

  /** Nothing is known. */
  public static Facts unknown() {
    return new Facts(null, null, null, List.of());
  }
}
