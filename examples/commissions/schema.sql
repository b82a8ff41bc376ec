-- What the shop has. Neither table protects itself: a sale that is applied twice is paid twice.

create table seller (
  id      int primary key,
  balance numeric(14, 2) not null default 0
);

-- No unique key on sale_id, on purpose.
create table commission (
  sale_id   text           not null,
  seller_id int            not null references seller,
  amount    numeric(14, 2) not null,
  paid_at   timestamptz    not null default now()
);

insert into seller (id) select generate_series(1, 500);
