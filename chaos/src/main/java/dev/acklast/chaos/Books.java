package dev.acklast.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * What the database says at the end. Immutable.
 *
 * @param effects one of each key
 * @param doubled those beyond a key's first
 * @param claims the transaction that has committed each key's claim
 * @param ledger the rows of the attempt ledger
 * @param balances by account
 */
record Books(
    Map<String, Effect> effects,
    List<Effect> doubled,
    Map<String, String> claims,
    List<LedgerRow> ledger,
    Map<Integer, Long> balances) {

  /** A committed effect. */
  record Effect(String key, String txid, int debit, int credit, int amount) {}

  /**
   * What the ledger has kept.
   *
   * @param deathId of the dead letter; null if the message is not dead
   */
  record LedgerRow(String scope, String key, int attempts, @Nullable String deathId) {}

  Books {
    effects = Collections.unmodifiableMap(effects);
    doubled = List.copyOf(doubled);
    claims = Collections.unmodifiableMap(claims);
    ledger = List.copyOf(ledger);
    balances = Collections.unmodifiableMap(balances);
  }

  /** Reads all of it in one snapshot. */
  static Books read(DataSource database) {
    return Jdbi.create(database).inTransaction(Books::read);
  }

  private static Books read(Handle handle) {
    handle.execute("set transaction isolation level repeatable read");
    Map<String, Effect> effects = new HashMap<>();
    List<Effect> doubled = new ArrayList<>();
    handle
        .createQuery("select key, txid, debit, credit, amount from effect")
        .setFetchSize(5_000)
        .map(
            (row, context) ->
                new Effect(
                    row.getString(1),
                    row.getString(2),
                    row.getInt(3),
                    row.getInt(4),
                    row.getInt(5)))
        .forEach(
            effect -> {
              if (effects.putIfAbsent(effect.key(), effect) != null) {
                doubled.add(effect);
              }
            });
    return new Books(effects, doubled, claims(handle), ledger(handle), balances(handle));
  }

  private static Map<String, String> claims(Handle handle) {
    Map<String, String> claims = new HashMap<>();
    handle
        .createQuery("select key, txid from acklast_claim where scope = ?")
        .bind(0, Tables.SCOPE)
        .setFetchSize(5_000)
        .map((row, context) -> Map.entry(row.getString(1), row.getString(2)))
        .filter(claim -> !claim.getKey().startsWith(Tables.BYGONE))
        .forEach(claim -> claims.put(claim.getKey(), claim.getValue()));
    return claims;
  }

  private static List<LedgerRow> ledger(Handle handle) {
    return handle
        .createQuery(
            "select scope, key, attempts, case when dead_at is null then null else death_id end"
                + " from acklast_attempt order by scope, key")
        .map(
            (row, context) ->
                new LedgerRow(row.getString(1), row.getString(2), row.getInt(3), row.getString(4)))
        .list();
  }

  private static Map<Integer, Long> balances(Handle handle) {
    Map<Integer, Long> balances = new HashMap<>();
    handle
        .createQuery("select id, balance from account")
        .map((row, context) -> Map.entry(row.getInt(1), row.getLong(2)))
        .forEach(account -> balances.put(account.getKey(), account.getValue()));
    return balances;
  }
}
