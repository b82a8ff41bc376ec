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
 * @param warnings what a user should know but need not change at once; each a sentence that says
 *     what to do
 */
public record Facts(
    @Nullable Duration lease,
    @Nullable Integer deliveryLimit,
    int spareDeliveries,
    @Nullable Duration retention,
    List<String> warnings) {
  /** A process may die twice before its death is blamed on a message. */
  public static final int DEATHS_UNBLAMED = 2;

  public Facts {
    warnings = List.copyOf(warnings);
  }

  /** Facts of a broker that counts no delivery which we do not see. */
  public Facts(
      @Nullable Duration lease,
      @Nullable Integer deliveryLimit,
      @Nullable Duration retention,
      List<String> warnings) {
    this(lease, deliveryLimit, DEATHS_UNBLAMED, retention, warnings);
  }

  /** Nothing is known. */
  public static Facts unknown() {
    return new Facts(null, null, null, List.of());
  }
}
