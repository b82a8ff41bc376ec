package dev.acklast.chaos;

/** The effect: one row, and an amount that moves from one account to another. */
final class Effects {
  /** All of it in one round trip. */
  static final String TRANSFER =
      """
      with noted as (
        insert into effect(key, attempt, debit, credit, amount, worker)
        values (?, ?, ?, ?, ?, ?) returning debit, credit, amount),
      paid as (
        update account set balance = balance - noted.amount from noted where id = noted.debit)
      update account set balance = balance + noted.amount from noted where id = noted.credit""";

  private Effects() {}

  /** What {@link #TRANSFER} takes. */
  static Object[] arguments(Intent intent, int attempt, String worker) {
    return new Object[] {
      intent.key(), attempt, intent.debit(), intent.credit(), intent.amount(), worker
    };
  }
}
