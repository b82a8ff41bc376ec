-- Acklast, version 1: claims and the attempt ledger. PostgreSQL 14 to 18.
--
-- ${acklast_schema} is a placeholder in the notation of Flyway and Liquibase: give it the schema's
-- name (flyway.placeholders.acklast_schema, or a Liquibase property acklast_schema), the same one
-- that the consumers are given. By hand, replace it, or take the output of "acklast schema".
--
-- Consumers need USAGE on the schema and SELECT, INSERT, UPDATE, DELETE on both tables.

create table if not exists ${acklast_schema}.acklast_claim (
  scope      text collate "C" not null,
  key        text collate "C" not null,
  version    int              not null default 1,
  claimed_at timestamptz      not null default clock_timestamp(),
  primary key (scope, key)
);

create table if not exists ${acklast_schema}.acklast_attempt (
  scope        text collate "C" not null,
  key          text collate "C" not null,
  attempts     int              not null default 0,
  run          text,
  run_alone    boolean          not null default false,
  started_at   timestamptz,
  not_before   timestamptz,
  dead_at      timestamptz,
  death_id     text,
  death_reason text,
  last_error   text,
  updated_at   timestamptz      not null default clock_timestamp(),
  primary key (scope, key)
);

-- For the purge alone.
create index if not exists acklast_claim_age on ${acklast_schema}.acklast_claim (scope, claimed_at);
