package dev.acklast.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How something is, and why. Immutable.
 *
 * @param status the worst of all reasons
 * @param reasons sentences for a person, free of payloads and credentials; empty when UP
 */
public record Health(Status status, List<String> reasons) {
  /** From best to worst. */
  public enum Status {
    /** All is well. */
    UP,
    /** Messages flow, but something needs a look. */
    DEGRADED,
    /** Nothing flows. */
    DOWN
  }

  private static final Health UP = new Health(Status.UP, List.of());

  public Health {
    Objects.requireNonNull(status, "status");
    reasons = List.copyOf(reasons);
  }

  /** All is well. */
  public static Health up() {
    return UP;
  }

  /** Messages flow, but something needs a look. */
  public static Health degraded(String reason) {
    return new Health(Status.DEGRADED, List.of(reason));
  }

  /** Nothing flows. */
  public static Health down(String reason) {
    return new Health(Status.DOWN, List.of(reason));
  }

  /** The worse status of both, and all reasons. */
  public Health and(Health other) {
    if (other.status == Status.UP) {
      return this;
    }
    List<String> all = new ArrayList<>(reasons);
    all.addAll(other.reasons);
    return new Health(status.compareTo(other.status) >= 0 ? status : other.status, all);
  }
}
