package dev.acklast.store;

/** The statements of the attempt ledger. The scope is the first parameter, or the last. */
final class LedgerSql {
  final String read;
  final String lock;
  final String mark;
  final String unmark;
  final String lift;
  final String clear;
  final String recordFailure;
  final String delay;
  final String doom;
  final String markDead;

  LedgerSql(Tables tables) {
    String table = tables.attempt();
    read =
        """
        select key, attempts, run, run_alone, death_id, death_reason,
               ceil(extract(epoch from not_before - clock_timestamp()) * 1000000)::bigint as due_in
        from %s where scope = ? and key = any(?) order by key collate "C\""""
            .formatted(table);
    lock = read + " for update";
    mark =
        """
        insert into %s as had (scope, key, run, run_alone, attempts, started_at, updated_at)
        select ?::text, m.key, m.run, m.alone, m.attempts, clock_timestamp(), clock_timestamp()
        from unnest(?::text[], ?::text[], ?::bool[], ?::int4[]) as m(key, run, alone, attempts)
        order by m.key collate "C"
        on conflict (scope, key) do update set
          run = excluded.run, run_alone = excluded.run_alone, attempts = excluded.attempts,
          started_at = excluded.started_at, updated_at = excluded.updated_at,
          not_before = null, dead_at = null, death_id = null, death_reason = null"""
            .formatted(table);
    unmark =
        """
        delete from %s as had using unnest(?::text[], ?::text[]) as m(key, run)
        where had.scope = ? and had.key = m.key and had.run = m.run returning had.key"""
            .formatted(table);
    lift =
        """
        update %s as had set run = null, run_alone = false, updated_at = clock_timestamp()
        from unnest(?::text[], ?::text[]) as m(key, run)
        where had.scope = ? and had.key = m.key and had.run = m.run"""
            .formatted(table);
    clear = "delete from " + table + " where scope = ? and key = any(?)";
    recordFailure = recordFailure(table);
    delay =
        """
        insert into %s as had (scope, key, attempts, run_alone, not_before, updated_at)
        values (?, ?, 0, false, clock_timestamp() + ? * interval '1 millisecond', clock_timestamp())
        on conflict (scope, key) do update set
          not_before = excluded.not_before, updated_at = excluded.updated_at"""
            .formatted(table);
    doom = "update " + table + " set death_reason = ? where scope = ? and key = ?";
    markDead = markDead(table);
  }

  /**
   * Two flags that the update needs more than once: is it redriven, and is the mark the run's own.
   */
  private static String recordFailure(String table) {
    return """
        with failed as (
          select ?::text as scope, ?::text as key, ?::text as error, ?::text as carried, ?::text as run)
        insert into %s as had (scope, key, attempts, run_alone, last_error, updated_at)
        select scope, key, 1, false, error, clock_timestamp() from failed
        on conflict (scope, key) do update set
          attempts = case when had.dead_at is not null
              and had.death_id = (select carried from failed) then 1 else had.attempts + 1 end,
          dead_at = case when had.death_id = (select carried from failed)
              then null else had.dead_at end,
          death_id = nullif(had.death_id, (select carried from failed)),
          death_reason = case when had.death_id is distinct from (select carried from failed)
              and had.death_id is not null then had.death_reason end,
          run = nullif(had.run, (select run from failed)),
          run_alone = had.run_alone and had.run is distinct from (select run from failed),
          last_error = excluded.last_error,
          updated_at = excluded.updated_at
        returning had.attempts"""
        .formatted(table);
  }

  private static String markDead(String table) {
    return """
        insert into %s as had
          (scope, key, death_id, death_reason, attempts, run_alone, dead_at, updated_at)
        values (?, ?, ?, ?, ?, false, clock_timestamp(), clock_timestamp())
        on conflict (scope, key) do update set
          death_id = excluded.death_id, death_reason = excluded.death_reason,
          attempts = excluded.attempts, dead_at = excluded.dead_at,
          run = null, run_alone = false, not_before = null, updated_at = excluded.updated_at"""
        .formatted(table);
  }
}
