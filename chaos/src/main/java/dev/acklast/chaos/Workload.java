package dev.acklast.chaos;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * All messages of a run, drawn from a seed: the same seed means the same intents, copies and
 * resends. Immutable.
 *
 * @param seed any number
 * @param limitedDeliveries whether the broker may put a message aside because it was delivered too
 *     often
 */
record Workload(long seed, boolean limitedDeliveries) {
  Workload(long seed) {
    this(seed, false);
  }

  /** Accounts, numbered from 0. */
  static final int ACCOUNTS = 20_000;

  /** What each account begins with. */
  static final int OPENING_BALANCE = 1_000;

  /** Runs of a handler before a dead letter. */
  static final int MAX_ATTEMPTS = 5;

  private static final int HOT_ACCOUNTS = 10;
  private static final int MOST_PLANNED_FAILURES = 2;
  private static final int LARGEST_AMOUNT = 100;
  private static final int LONGEST_RESEND_MILLIS = 20_000;

  /** Killers are few: each costs as many JVMs as there are attempts. */
  private static final int FIRST_KILLER = 500;

  private static final int KILLER_EVERY = 60_000;

  /** So that all queues for delays exist before anything is broken. */
  private static final List<Fate> EARLY =
      List.of(Fate.TRANSFER, Fate.POISON, Fate.FLAKY, Fate.REFUSED, Fate.STALE, Fate.UNDECODABLE);

  /** The n-th intent, from 0. */
  Intent intent(long index) {
    SplittableRandom random = random(index, 1);
    Fate fate = fate(index, random);
    int failures = fate == Fate.FLAKY ? 1 + random.nextInt(MOST_PLANNED_FAILURES) : 0;
    // A few accounts are in great demand, so that transactions wait for each other.
    int range = random.nextInt(200) == 0 ? HOT_ACCOUNTS : ACCOUNTS;
    int debit = random.nextInt(range);
    int credit = (debit + 1 + random.nextInt(range - 1)) % range;
    int amount = 1 + random.nextInt(LARGEST_AMOUNT);
    return new Intent(key(fate, index), fate, failures, debit, credit, amount);
  }

  /**
   * How many copies are published at once: mostly one. Attempts are counted by key, and a copy that
   * comes for the first time does not know of the others: of a flaky one with five copies, the
   * first failures alone would be all attempts.
   */
  int copies(long index) {
    SplittableRandom random = random(index, 2);
    Fate fate = intent(index).fate();
    if (fate == Fate.KILLER || random.nextInt(100) > 0) {
      return 1;
    }
    return fate == Fate.FLAKY ? 2 : 2 + random.nextInt(3);
  }

  /** For 5 % of the intents: after how many milliseconds one more copy is sent. */
  Optional<Integer> resentAfter(long index) {
    SplittableRandom random = random(index, 3);
    if (intent(index).fate() == Fate.KILLER || random.nextInt(100) >= 5) {
      return Optional.empty();
    }
    return Optional.of(random.nextInt(LONGEST_RESEND_MILLIS));
  }

  /** The intent with this key; empty if no intent of this workload has it. */
  Optional<Intent> find(String key) {
    try {
      Intent intent = intent(Long.parseLong(key.substring(key.lastIndexOf('-') + 1)));
      return intent.key().equals(key) ? Optional.of(intent) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Fate fate(long index, SplittableRandom random) {
    if (index == FIRST_KILLER || index % KILLER_EVERY == KILLER_EVERY / 2) {
      return Fate.KILLER;
    }
    if (index < EARLY.size()) {
      return EARLY.get((int) index);
    }
    int lot = random.nextInt(1_000);
    if (lot < 30) {
      return Fate.FLAKY;
    }
    return switch (lot) {
      case 30, 31, 32 -> Fate.POISON;
      case 33 -> Fate.REFUSED;
      case 34 -> Fate.STALE;
      case 35, 36 -> Fate.UNDECODABLE;
      default -> Fate.TRANSFER;
    };
  }

  private static String key(Fate fate, long index) {
    return fate.name().toLowerCase(Locale.ROOT) + "-" + index;
  }

  private SplittableRandom random(long index, int purpose) {
    SplittableRandom mixed = new SplittableRandom(seed * 31 + purpose);
    long salt = index * 0x9E3779B97F4A7C15L;
    return new SplittableRandom(mixed.nextLong() ^ salt);
  }
}
