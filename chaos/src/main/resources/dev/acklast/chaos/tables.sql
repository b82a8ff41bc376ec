create table account(id int primary key, balance bigint not null);

-- Without a unique key: a doubled effect must show as two rows.
create table effect(
  key     text        not null,
  attempt int         not null,
  debit   int         not null,
  credit  int         not null,
  amount  int         not null,
  worker  text        not null,
  txid    text        not null default pg_current_xact_id()::text,
  at      timestamptz not null default clock_timestamp()
);

-- Which transaction has committed a claim.
alter table acklast_claim add column txid text not null default pg_current_xact_id()::text;
