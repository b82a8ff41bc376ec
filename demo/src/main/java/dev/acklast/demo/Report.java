package dev.acklast.demo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The end of the demonstration in words. */
final class Report {
  private static final String ROW = "  %-24s %16s %20s";

  private Report() {}

  /** The table, line by line. */
  static List<String> table(Books acklast, Books usual) {
    List<String> lines = new ArrayList<>();
    lines.add(ROW.formatted("", "Acklast", "the usual consumer"));
    lines.add(row("sales", acklast.sales(), usual.sales()));
    lines.add(row("commissions", acklast.commissions(), usual.commissions()));
    lines.add(row("dead-lettered", acklast.deadLettered(), usual.deadLettered()));
    lines.add(row("doubled", acklast.doubled(), usual.doubled()));
    lines.add(row("lost", acklast.lost(), usual.lost()));
    lines.add(row("seller balances wrong", acklast.wrongBalances(), usual.wrongBalances()));
    lines.add(ROW.formatted("paid too much", money(acklast.overpaid()), money(usual.overpaid())));
    return lines;
  }

  /** The one last line. */
  static String verdict(Books acklast, List<String> faults) {
    return (faults.isEmpty() ? "PASS: " : "FAIL: ") + acklast.sum();
  }

  private static String row(String name, long acklast, long usual) {
    return ROW.formatted(name, number(acklast), number(usual));
  }

  static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String money(BigDecimal amount) {
    return String.format(Locale.ROOT, "%,.2f", amount);
  }
}
