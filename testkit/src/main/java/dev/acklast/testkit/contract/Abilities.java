package dev.acklast.testkit.contract;

import java.util.EnumMap;
import java.util.Map;

/**
 * What one kind of broker can do in the contract. Immutable.
 *
 * @param lacking what it cannot do, each with the reason that is printed where a case is skipped
 * @param largestBody the largest body in bytes that it takes, at least 1
 */
public record Abilities(Map<Ability, String> lacking, int largestBody) {
  private static final int MEBIBYTE = 1 << 20;

  public Abilities {
    lacking = Map.copyOf(lacking);
  }

  /** Can do everything, with bodies of a mebibyte and more. */
  public static Abilities all() {
    return new Abilities(Map.of(), MEBIBYTE);
  }

  /** The same without one ability. */
  public Abilities without(Ability ability, String reason) {
    Map<Ability, String> more = new EnumMap<>(Ability.class);
    more.putAll(lacking);
    more.put(ability, reason);
    return new Abilities(more, largestBody);
  }

  /** The same with another limit on bodies. */
  public Abilities withLargestBody(int bytes) {
    return new Abilities(lacking, bytes);
  }

  /** Whether it can do this. */
  public boolean has(Ability ability) {
    return !lacking.containsKey(ability);
  }
}
