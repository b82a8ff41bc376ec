-- One row: what became of the sales, by the database and the dead-letter queue alone.
with paid as (
  select sale_id, count(*) as times from commission group by sale_id
), dead as (
  select distinct sale_id from demo.dead_letter
), fate as (
  select s.*, coalesce(p.times, 0) as times, d.sale_id is not null as is_dead
  from demo.sale s left join paid p using (sale_id) left join dead d using (sale_id)
), due as (
  select seller_id, sum(amount) as amount from demo.sale where kind = 'GOOD' group by seller_id
)
select
  (select count(*) from fate) as sales,
  (select count(*) from fate where times > 0) as commissions,
  (select count(*) from fate where times = 0 and is_dead) as dead_lettered,
  (select coalesce(sum(times - 1), 0) from paid) as doubled,
  (select count(*) from fate where times = 0 and not is_dead) as lost,
  -- commissions of sales that nobody made or that must fail, of another amount or seller
  (select count(*) from commission c
    where not exists (
      select from demo.sale s
      where s.sale_id = c.sale_id and s.seller_id = c.seller_id and s.amount = c.amount
        and s.kind = 'GOOD')) as unexpected_commissions,
  -- dead letters of sales that could be applied or of none at all, or with another body
  (select count(distinct coalesce(d.sale_id, '')) from demo.dead_letter d
    where not exists (
      select from demo.sale s
      where s.sale_id = d.sale_id and s.kind <> 'GOOD' and s.body = d.body))
    as unexpected_dead_letters,
  (select count(*) from seller where balance is distinct from
    coalesce((select amount from due where due.seller_id = seller.id), 0)) as wrong_balances,
  (select sum(balance) from seller) - coalesce((select sum(amount) from due), 0) as overpaid
