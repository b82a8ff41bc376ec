package dev.acklast.chaos;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What must hold of effects, claims and balances. */
final class EffectAudit {
  private final Evidence evidence;
  private final Books books;
  private final List<Finding> findings;

  EffectAudit(Evidence evidence, List<Finding> findings) {
    this.evidence = evidence;
    this.books = evidence.books();
    this.findings = findings;
  }

  void run() {
    for (Books.Effect effect : books.doubled()) {
      String first = txidOfFirst(effect.key());
      add(Breach.DOUBLED, effect.key(), "by transactions " + first + " and " + effect.txid());
    }
    books.effects().values().forEach(this::isAsPlanned);
    claimsMatch();
    balancesAreSums();
  }

  private String txidOfFirst(String key) {
    Books.Effect first = books.effects().get(key);
    return first == null ? "?" : first.txid();
  }

  private void isAsPlanned(Books.Effect effect) {
    Optional<Intent> planned = evidence.workload().find(effect.key());
    if (planned.isEmpty() || evidence.publications().of(effect.key()).atMost() == 0) {
      add(Breach.UNEXPECTED_EFFECT, effect.key(), "nobody has published it");
      return;
    }
    Intent intent = planned.get();
    if (!intent.fate().applies()) {
      add(Breach.UNEXPECTED_EFFECT, effect.key(), "it was to be dead-lettered");
    }
    if (effect.debit() != intent.debit()
        || effect.credit() != intent.credit()
        || effect.amount() != intent.amount()) {
      add(Breach.EFFECT_ALTERED, effect.key(), effect + " is not as planned: " + intent);
    }
  }

  private void claimsMatch() {
    books
        .claims()
        .forEach(
            (key, txid) -> {
              Books.Effect effect = books.effects().get(key);
              if (effect == null) {
                add(Breach.CLAIM_WITHOUT_EFFECT, key, "claimed by transaction " + txid);
              } else if (!effect.txid().equals(txid)) {
                String text = "claim in transaction " + txid + ", effect in " + effect.txid();
                add(Breach.CLAIM_APART, key, text);
              }
            });
    for (Books.Effect effect : books.effects().values()) {
      if (!books.claims().containsKey(effect.key())) {
        add(Breach.EFFECT_WITHOUT_CLAIM, effect.key(), "applied by transaction " + effect.txid());
      }
    }
  }

  private void balancesAreSums() {
    Map<Integer, Long> due = new HashMap<>();
    for (int account = 0; account < Workload.ACCOUNTS; account++) {
      due.put(account, (long) Workload.OPENING_BALANCE);
    }
    books.effects().values().forEach(effect -> transfer(due, effect));
    books.doubled().forEach(effect -> transfer(due, effect));
    due.forEach(
        (account, balance) -> {
          Long found = books.balances().get(account);
          if (!balance.equals(found)) {
            String text = "account " + account + " has " + found + ", its effects say " + balance;
            findings.add(new Finding(Breach.BALANCE, null, text));
          }
        });
  }

  private static void transfer(Map<Integer, Long> balances, Books.Effect effect) {
    balances.merge(effect.debit(), (long) -effect.amount(), Long::sum);
    balances.merge(effect.credit(), (long) effect.amount(), Long::sum);
  }

  private void add(Breach breach, String key, String text) {
    findings.add(new Finding(breach, key, text));
  }
}
