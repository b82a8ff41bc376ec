package dev.acklast.demo;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * What became of the sales at one consumer.
 *
 * @param sales distinct ones whose events were published
 * @param commissions sales with at least one commission
 * @param deadLettered sales without commission that lie in the dead-letter queue
 * @param doubled commissions beyond a sale's first
 * @param lost sales with neither commission nor dead letter
 * @param unexpectedCommissions commissions that are not due: no such sale, or not so
 * @param unexpectedDeadLetters sales put aside that could be applied, or whose body was altered
 * @param wrongBalances sellers with another balance than is due
 * @param overpaid what all sellers have beyond what is due; negative if less
 */
record Books(
    long sales,
    long commissions,
    long deadLettered,
    long doubled,
    long lost,
    long unexpectedCommissions,
    long unexpectedDeadLetters,
    long wrongBalances,
    BigDecimal overpaid) {

  static Books read(ResultSet row, StatementContext context) throws SQLException {
    return new Books(
        row.getLong("sales"),
        row.getLong("commissions"),
        row.getLong("dead_lettered"),
        row.getLong("doubled"),
        row.getLong("lost"),
        row.getLong("unexpected_commissions"),
        row.getLong("unexpected_dead_letters"),
        row.getLong("wrong_balances"),
        row.getBigDecimal("overpaid"));
  }

  /** What is wrong, empty if nothing is. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    add(faults, doubled, "commissions are doubled");
    add(faults, lost, "sales are lost: neither a commission nor a dead letter");
    add(faults, unexpectedCommissions, "commissions are not due, or not so");
    add(
        faults,
        unexpectedDeadLetters,
        "sales were dead-lettered that could be applied, or altered on the way");
    add(faults, wrongBalances, "sellers have a wrong balance");
    if (commissions + deadLettered + lost != sales) {
      faults.add("the sum does not hold");
    }
    return faults;
  }

  private static void add(List<String> faults, long count, String what) {
    if (count != 0) {
      faults.add(count + " " + what);
    }
  }

  /** The sum in one line. */
  String sum() {
    return "%d sales: %d commissions, %d dead-lettered, %d doubled, %d lost"
        .formatted(sales, commissions, deadLettered, doubled, lost);
  }
}
