package dev.acklast.demo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * The sales of a month and the events that tell of them, the same for the same size and seed.
 * Immutable.
 *
 * @param sales of the month, each once
 * @param late never seen before the replay
 * @param events of the month, in the order of publishing: each sale, and 5 % of them once more
 *     under another message id, half of those right behind the first, so that two consumers have
 *     them at once
 * @param replay the whole month under new message ids, the late sales among them
 */
record Month(List<Sale> sales, List<Sale> late, List<SaleEvent> events, List<SaleEvent> replay) {
  static final int SELLERS = 500;
  static final int LATE_SALES = 100;
  private static final int NO_SELLER = 9_999;

  /** One in this many sales is sent twice. */
  private static final int RESENT = 20;

  /** One in this many sales cannot be applied. */
  private static final int BAD = 400;

  Month {
    sales = List.copyOf(sales);
    late = List.copyOf(late);
    events = List.copyOf(events);
    replay = List.copyOf(replay);
  }

  /**
   * Draws a month.
   *
   * @param size how many sales, at least 100
   */
  static Month draw(int size, long seed) {
    Random random = new Random(seed);
    int bad = Math.max(2, size / BAD);
    List<Sale.Kind> kinds = new ArrayList<>(Collections.nCopies(size - bad, Sale.Kind.GOOD));
    kinds.addAll(Collections.nCopies(bad / 2, Sale.Kind.UNDECODABLE));
    kinds.addAll(Collections.nCopies(bad - bad / 2, Sale.Kind.FAILING));
    Collections.shuffle(kinds, random);
    List<Sale> sales = new ArrayList<>();
    kinds.forEach(kind -> sales.add(sale(sales.size() + 1, kind, random)));
    List<Sale> late = new ArrayList<>();
    while (late.size() < LATE_SALES) {
      late.add(sale(size + late.size() + 1, Sale.Kind.GOOD, random));
    }
    return new Month(sales, late, events(sales, random), replay(sales, late, random));
  }

  private static Sale sale(int number, Sale.Kind kind, Random random) {
    int seller = kind == Sale.Kind.FAILING ? NO_SELLER : 1 + random.nextInt(SELLERS);
    BigDecimal amount = BigDecimal.valueOf(1 + random.nextInt(10_000), 2);
    return new Sale("S-%06d".formatted(number), seller, amount, kind);
  }

  private static List<SaleEvent> events(List<Sale> sales, Random random) {
    record Placed(double place, Sale sale) {}
    List<Placed> placed = new ArrayList<>();
    for (Sale sale : sales) {
      placed.add(new Placed(placed.size(), sale));
    }
    List<Placed> resent = new ArrayList<>(placed);
    Collections.shuffle(resent, random);
    int copies = sales.size() / RESENT;
    for (Placed first : resent.subList(0, copies)) {
      boolean atOnce = placed.size() % 2 == 0;
      double later = 0.5 + random.nextDouble() * (sales.size() - first.place());
      placed.add(new Placed(first.place() + (atOnce ? 0.5 : later), first.sale()));
    }
    placed.sort(Comparator.comparingDouble(Placed::place));
    return placed.stream().map(p -> new SaleEvent(p.sale(), id(random))).toList();
  }

  private static List<SaleEvent> replay(List<Sale> sales, List<Sale> late, Random random) {
    List<Sale> mixed = new ArrayList<>(sales);
    late.forEach(sale -> mixed.add(random.nextInt(mixed.size()), sale));
    return mixed.stream().map(sale -> new SaleEvent(sale, id(random))).toList();
  }

  private static String id(Random random) {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }
}
