create schema demo;

-- What the shop has sold: whose events were published.
create table demo.sale (
  sale_id   text primary key,
  seller_id int            not null,
  amount    numeric(14, 2) not null,
  kind      text           not null, -- GOOD, UNDECODABLE or FAILING
  body      bytea          not null  -- as published
);

-- What lies in the dead-letter queue; a sale may be there several times, as often as it was sent.
create table demo.dead_letter (
  sale_id    text,
  message_id text,
  body       bytea not null
);
